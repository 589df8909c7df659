import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { ArchiveLink } from '@homeport/files/contracts';
import { type Actor } from '@homeport/identity/contracts';
import { KeysUnavailable, ScopeRequired, TokenExpired, TokenInvalid, Unauthenticated } from '@homeport/identity/server';
import { CurrentActor } from '@homeport/identity/server/nest';
import { CapacityUnavailable, DatabaseUnavailable, InvalidRequest, RateLimited } from '@homeport/kernel';
import { ApiProblems, BINARY_SCHEMA, responseHeaders } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Archives } from '../../application/archives';
import {
  ArchiveLinkExpired,
  ArchiveLinkTooLong,
  FileMissing,
  FilePathRejected,
  StorageFailed,
  StorageTimeout,
  StorageUnavailable,
} from '../../domain/files.errors';
import { ArchiveResponses } from './archive-responses';
import { ArchiveLinkBody, ArchiveRequestBody } from './files.dto';

/** Zip archives of the workspace. */
@ApiTags('Files')
@ApiProblems(
  new StorageUnavailable(),
  new CapacityUnavailable(),
  new StorageFailed(),
  new StorageTimeout(),
  new RateLimited(),
)
@Controller()
export class ArchivesController {
  constructor(
    private readonly archives: Archives,
    private readonly responses: ArchiveResponses,
  ) {}

  @Post('api/archives')
  @ApiBearerAuth()
  @ApiOperation({
    operationId: 'createArchiveLink',
    summary: 'Request a zip archive of files and folders',
    description:
      'Returns a link that permits everybody who has it to download these paths of this workspace, without an access ' +
      'token. The download must start within 5 minutes. Nothing is stored: the archive contains the files as they are ' +
      'when it is downloaded.',
  })
  @ApiCreatedResponse({ type: ArchiveLinkBody })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new FilePathRejected('The path is empty.'),
    new ArchiveLinkTooLong(),
    new Unauthenticated(),
    new TokenInvalid('the token is unknown or revoked'),
    new TokenExpired(),
    new ScopeRequired(),
    new FileMissing(),
    new KeysUnavailable(),
    new DatabaseUnavailable(),
  )
  link(@CurrentActor() actor: Actor, @Body() { paths }: ArchiveRequestBody): Promise<ArchiveLink> {
    return this.archives.link(actor, paths);
  }

  /** Also handles HEAD. */
  @Get('v1/archives/:ticket')
  @ApiOperation({
    operationId: 'downloadArchive',
    summary: 'Download a zip archive',
    description:
      'Streams the archive while it is created. Names are relative to the parent of each requested path, in NFC and ' +
      'UTF-8. Characters and names that Windows rejects get underscores (`a:b.md` becomes `a_b.md`), a name that is ' +
      'taken, also in another case, gets a number (`a (2).md`), and folders of the same name are merged. Files are ' +
      'stored without compression; zip64 is used where it is needed. When storage fails, the connection is closed ' +
      'without the end of the archive.',
  })
  @ApiParam({
    name: 'ticket',
    description: 'From the `url` of `POST /api/archives`',
    schema: { type: 'string', example: 'tmMjTBs6.yZSYsxeu4xC8kHCA' },
  })
  @ApiOkResponse({
    description: 'The archive',
    content: { 'application/zip': { schema: BINARY_SCHEMA } },
    headers: responseHeaders('Content-Disposition', 'Cache-Control', 'Vary'),
  })
  @ApiProblems(new ArchiveLinkExpired(), new FileMissing())
  download(@Param('ticket') ticket: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const archive = this.archives.open(ticket);
    return request.method === 'HEAD' ? this.responses.sendHeaders(reply, archive) : this.responses.send(reply, archive);
  }
}
