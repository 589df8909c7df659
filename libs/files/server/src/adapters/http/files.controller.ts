import { Controller, Delete, Get, HttpCode, Put, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
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
import {
  CurrentPrincipal,
  KeysUnavailable,
  type Principal,
  TokenExpired,
  TokenInvalid,
  Unauthenticated,
} from '@homeport/identity/server';
import {
  InvalidRequest,
  Problems,
  QueryParameters,
  RateLimited,
  StreamedBody,
  UnsupportedMediaType,
} from '@homeport/platform/server';
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
import { FilesGateway } from './files-gateway';

const BAD_PATH = new FilePathRejected('The path is empty.');
const FILE_PATH = { name: '*', description: 'Slash-separated segments, each percent-encoded', example: 'threads/a.md' };
const FILE_BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } } as const;

/** The workspace of the person the token names. */
@ApiTags('Files')
@ApiBearerAuth()
@Problems(
  new Unauthenticated(),
  new TokenInvalid(''),
  new TokenExpired(),
  new KeysUnavailable(),
  new StorageUnavailable(),
  new StorageFailed(),
  new StorageTimeout(),
  new RateLimited(),
)
@Controller('api/files')
export class FilesController {
  constructor(private readonly gateway: FilesGateway) {}

  @Get()
  @QueryParameters('prefix', 'delimiter', 'limit', 'cursor', 'sort')
  @ApiOperation({ summary: 'List files' })
  @ApiQuery({ name: 'prefix', required: false, description: 'Plain string match; may end inside a segment' })
  @ApiQuery({ name: 'delimiter', required: false, enum: ['/'], description: 'Lists one level' })
  @ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 } })
  @ApiQuery({ name: 'cursor', required: false })
  @ApiQuery({ name: 'sort', required: false, enum: ['key', '-modified_at'] })
  @ApiOkResponse({ type: FileListingBody })
  @ApiResponse({ status: 304, description: 'The listing the caller has is still right' })
  @Problems(new InvalidRequest(''), BAD_PATH, new CursorRejected())
  list(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.gateway.list({ principal, request, reply });
  }

  /** HEAD is answered by the same route. */
  @Get('*')
  @QueryParameters('download')
  @ApiOperation({ summary: 'Read a file' })
  @ApiParam(FILE_PATH)
  @ApiQuery({ name: 'download', required: false, enum: ['1'] })
  @ApiOkResponse({ description: 'The bytes of the file', content: FILE_BYTES })
  @ApiResponse({ status: 206, description: 'A part of the file', content: FILE_BYTES })
  @ApiResponse({ status: 304, description: 'The copy the caller has is still right' })
  @Problems(new InvalidRequest(''), BAD_PATH, new FileMissing(), new PreconditionFailed(), new RangeNotSatisfiable(0))
  read(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.gateway.read({ principal, request, reply });
  }

  @Put('*')
  @StreamedBody()
  @ApiOperation({ summary: 'Write a file' })
  @ApiParam(FILE_PATH)
  @ApiBody({ description: 'The bytes of the file', required: true, content: FILE_BYTES } as never)
  @ApiOkResponse({ type: FileEntryBody, description: 'Replaced' })
  @ApiCreatedResponse({ type: FileEntryBody, description: 'New' })
  @Problems(
    new InvalidRequest(''),
    BAD_PATH,
    new DigestMismatch(),
    new PreconditionFailed(),
    new FileTooLarge(0),
    new UnsupportedMediaType(),
  )
  write(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FileEntry> {
    return this.gateway.write({ principal, request, reply });
  }

  @Delete('*')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a file; absent already is fine' })
  @ApiParam(FILE_PATH)
  @ApiNoContentResponse()
  @Problems(new InvalidRequest(''), BAD_PATH, new PreconditionFailed())
  delete(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.gateway.delete({ principal, request, reply });
  }
}
