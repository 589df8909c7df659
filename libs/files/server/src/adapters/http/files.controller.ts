import { Controller, Delete, Get, HttpCode, Put, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FileEntry } from '@homeport/files/contracts';
import { KeysUnavailable, ScopeRequired, TokenExpired, TokenInvalid, Unauthenticated } from '@homeport/identity/server';
import { CurrentActor } from '@homeport/identity/server/nest';
import { type Actor } from '@homeport/identity/contracts';
import {
  BINARY_SCHEMA,
  ApiBinaryBody,
  AllowEmptyQueryParameters,
  ApiProblems,
  QueryParameters,
  ApiRequestHeaders,
  responseHeaders,
  StreamedBody,
} from '@homeport/platform/server/http';
import { DatabaseUnavailable, InvalidRequest, RateLimited, UnsupportedMediaType } from '@homeport/kernel';
import { RequestTooSlow, UPLOAD_MINIMUM_RATE } from '@homeport/kernel/node';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  CursorRejected,
  DigestMismatch,
  FileMissing,
  FilePathRejected,
  FileTooLarge,
  PreconditionFailed,
  RangeNotSatisfiable,
  StorageFailed,
  StorageTimeout,
  StorageUnavailable,
} from '../../domain/files.errors';
import { FileEntryBody, FileListingBody } from './files.dto';
import { FileRequestHandler } from './file-request-handler';

const BAD_PATH = new FilePathRejected('The path is empty.');
const FILE_CHANGED = new PreconditionFailed('"9b2cf535f27731c974343645a3985328"');
/** OpenAPI 3.1 cannot declare that a path parameter keeps its slashes (`allowReserved` is for queries until 3.2). */
const FILE_PATH = {
  name: 'path',
  description:
    'The path of the file. Percent-encode each segment on its own and keep the slashes between them: ' +
    "`path.split('/').map(encodeURIComponent).join('/')`. The file `a b/ü#.txt` is `/api/files/a%20b/%C3%BC%23.txt`. " +
    'An encoded slash (`%2F`) is rejected with 400 `files.invalid-path`, so a client that encodes the whole value ' +
    'must replace it with `/` again.',
  schema: { type: 'string', minLength: 1, maxLength: 1024, example: 'reports/2026/q3.md' },
} as const;
const FILE_BYTES = { '*/*': { schema: BINARY_SCHEMA } } as const;
const FILE_HEADERS = responseHeaders(
  'ETag',
  'Last-Modified',
  'Accept-Ranges',
  'Content-Length',
  'Content-Disposition',
  'Cache-Control',
  'Vary',
);
const NOT_MODIFIED_HEADERS = responseHeaders('ETag', 'Cache-Control', 'Vary');
const WRITTEN_HEADERS = responseHeaders('ETag', 'Location', 'Cache-Control');

/** The workspace of the authenticated user. */
@ApiTags('Files')
@ApiBearerAuth()
@ApiProblems(
  new Unauthenticated(),
  new TokenInvalid('the token is unknown or revoked'),
  new TokenExpired(),
  new ScopeRequired(),
  new KeysUnavailable(),
  new DatabaseUnavailable(),
  new StorageUnavailable(),
  new StorageFailed(),
  new StorageTimeout(),
  new RateLimited(),
)
@Controller('api/files')
export class FilesController {
  constructor(private readonly handler: FileRequestHandler) {}

  @Get()
  @QueryParameters('prefix', 'delimiter', 'limit', 'cursor', 'sort')
  // Client libraries send an unset prefix as an empty one.
  @AllowEmptyQueryParameters('prefix')
  @ApiRequestHeaders('If-None-Match')
  @ApiOperation({
    operationId: 'listFiles',
    summary: 'List files',
    description:
      'Lists files in ascending UTF-8 byte order of their keys, page by page. `sort=-modified_at` returns one page of ' +
      'the most recently modified files instead.',
  })
  @ApiQuery({ name: 'prefix', required: false, description: 'Plain string match; may end inside a segment' })
  @ApiQuery({ name: 'delimiter', required: false, enum: ['/'], description: 'Lists one level' })
  @ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 } })
  @ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' } })
  @ApiQuery({
    name: 'sort',
    required: false,
    enum: ['key', '-modified_at'],
    description: 'By key, or the newest first',
  })
  @ApiOkResponse({ type: FileListingBody, headers: NOT_MODIFIED_HEADERS })
  @ApiResponse({ status: 304, description: 'Not modified', headers: NOT_MODIFIED_HEADERS })
  @ApiProblems(new InvalidRequest('The request body is not valid JSON in UTF-8.'), BAD_PATH, new CursorRejected())
  list(@CurrentActor() actor: Actor, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.list({ actor, request, reply });
  }

  /** Also handles HEAD. */
  @Get('*')
  @QueryParameters('download')
  @ApiRequestHeaders('If-Match', 'If-None-Match', 'Range', 'If-Range')
  @ApiOperation({
    operationId: 'readFile',
    summary: 'Read a file',
    description:
      'Returns the bytes exactly as they were written. Supports conditional requests and single byte ranges.',
  })
  @ApiParam(FILE_PATH)
  @ApiQuery({ name: 'download', required: false, enum: ['1'], description: 'Sent as an attachment of any type' })
  @ApiOkResponse({ description: 'The bytes of the file', content: FILE_BYTES, headers: FILE_HEADERS })
  @ApiResponse({
    status: 206,
    description: 'The requested range',
    content: FILE_BYTES,
    headers: { ...FILE_HEADERS, ...responseHeaders('Content-Range') },
  })
  @ApiResponse({ status: 304, description: 'Not modified', headers: NOT_MODIFIED_HEADERS })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    BAD_PATH,
    new FileMissing(),
    FILE_CHANGED,
    new RangeNotSatisfiable(4_096),
  )
  read(@CurrentActor() actor: Actor, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.read({ actor, request, reply });
  }

  @Put('*')
  @StreamedBody()
  @ApiRequestHeaders('If-Match', 'If-None-Match', 'Content-Digest', 'Repr-Digest', 'Content-MD5')
  @ApiOperation({
    operationId: 'writeFile',
    summary: 'Write a file',
    description:
      'Creates or replaces a file with the bytes of the body. `Content-Type` is stored and returned by reads; without ' +
      'it, the type follows from the extension. A partially written file is never visible.',
  })
  @ApiParam(FILE_PATH)
  @ApiBinaryBody({
    description: 'The bytes of the file, of any media type except `multipart/*`; without a content encoding.',
    mediaTypes: ['*/*'],
  })
  @ApiOkResponse({ type: FileEntryBody, description: 'Replaced', headers: WRITTEN_HEADERS })
  @ApiCreatedResponse({ type: FileEntryBody, description: 'Created', headers: WRITTEN_HEADERS })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    BAD_PATH,
    new DigestMismatch(),
    FILE_CHANGED,
    new RequestTooSlow(UPLOAD_MINIMUM_RATE),
    new FileTooLarge(5 * 1024 ** 3),
    new UnsupportedMediaType(),
  )
  write(
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FileEntry> {
    return this.handler.write({ actor, request, reply });
  }

  @Delete('*')
  @HttpCode(204)
  @ApiRequestHeaders('If-Match', 'If-None-Match')
  @ApiOperation({
    operationId: 'deleteFile',
    summary: 'Delete a file',
    description: 'Succeeds if the file does not exist, unless `If-Match` requires one.',
  })
  @ApiParam(FILE_PATH)
  @ApiNoContentResponse()
  @ApiProblems(new InvalidRequest('The request body is not valid JSON in UTF-8.'), BAD_PATH, FILE_CHANGED)
  delete(
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.handler.delete({ actor, request, reply });
  }
}
