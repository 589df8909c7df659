import { Controller, HttpCode, Param, Post, Put, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { StartedDeploy, UploadedDeploy } from '@homeport/apps/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import type { Member } from '@homeport/identity/contracts';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '@homeport/kernel';
import { RequestTooSlow, UPLOAD_MINIMUM_RATE } from '@homeport/kernel/node';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '@homeport/platform/server/blobs';
import {
  ApiBinaryBody,
  ApiJsonBodyAlternative,
  ApiProblems,
  QueryParameters,
  responseHeaders,
  StreamedBody,
} from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DigestMismatch } from '../../../blobs/domain/blobs.errors';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import { DeployIngestion } from '../../application/deploy-ingestion';
import { FinishDeployByDigest } from '../../application/finish-deploy-by-digest';
import { ReceiveBlob } from '../../application/receive-blob';
import { StartDeployByDigest } from '../../application/start-deploy-by-digest';
import { ArchiveRejected } from '../../domain/archive.errors';
import {
  BlobNotInManifest,
  BlobsMissing,
  DeployInterrupted,
  DeployNotFound,
  DeployNotUploading,
  DeploysUnavailable,
  DeployTimeout,
} from '../../domain/deploys.errors';
import {
  ACTIVATE_VALUES,
  hasManifest,
  parseActivation,
  parseArchiveUpload,
  parseBlobUpload,
  parseManifestUpload,
} from './deploy-requests';
import {
  NoServer,
  StartFailed,
  UnsupportedServerBuild,
} from '../../../server-detection/domain/server-detection.errors';
import { ManifestBody, ManifestFileBody, StartedDeployBody, UploadedDeployBody } from './deploys.dto';
import { SourceQuery } from './source-query';

const ACTIVATE = {
  name: 'activate',
  required: false,
  description: 'Whether the deploy goes live: when its `/` answers (`true`), never (`false`), always (`force`)',
  schema: { type: 'string', enum: ACTIVATE_VALUES as unknown as string[], default: 'true' },
} as const;
const STORAGE_PROBLEMS = [new BlobStorageFailed(), new BlobStorageUnavailable(), new BlobStorageTimeout()];
const UPLOAD_PROBLEMS = [
  new InvalidRequest('The request body is not valid JSON in UTF-8.'),
  new UnsupportedMediaType(),
  new RequestTooSlow(UPLOAD_MINIMUM_RATE),
  new DeploysUnavailable(),
  ...STORAGE_PROBLEMS,
];
const SERVER_PROBLEMS = [
  new NoServer(),
  new UnsupportedServerBuild(
    'server.js',
    'The build is not complete. Upload the folder .next/standalone with its static files.',
  ),
  new StartFailed('The server did not answer within 10 seconds.', ['Error: Cannot find module']),
];

/** Uploads of deploys: as one archive, or by digest. */
@ApiTags('Deploys')
@ApiBearerAuth()
@MemberProblems()
@Controller('api')
export class DeployUploadsController {
  constructor(
    private readonly ingestion: DeployIngestion,
    private readonly startByDigest: StartDeployByDigest,
    private readonly receiveBlob: ReceiveBlob,
    private readonly finishByDigest: FinishDeployByDigest,
  ) {}

  @Post('apps/:id/deploys')
  @StreamedBody()
  @ApiOperation({
    operationId: 'createDeploy',
    summary: 'Upload the files of an app',
    description:
      'Accepts a tar.gz or a zip. The deploy goes live as soon as it is ready, unless `activate=false`. A deploy ' +
      'whose `/` would answer 404 stays `ready` while the live deploy answers `/`; `activate=force` activates it all ' +
      'the same. `activation` tells whether the deploy went live, and why not. `branch`, `commit`, `message` and ' +
      '`url` state where the files come from; the deploy shows them as `source`, and the alias of the branch moves ' +
      'to it.\n\n' +
      'A manifest as `application/json`, with `Content-Encoding: gzip` if it is large, starts a deploy by digest ' +
      'instead: the response has `missing`, the digests to upload. Upload them, and finish the deploy; it fails an ' +
      'hour after the last of these requests. `activate` then belongs to the request that finishes it.',
  })
  @ApiQuery(ACTIVATE)
  @SourceQuery()
  @ApiBinaryBody({ description: 'The archive, or the manifest', mediaTypes: ['application/gzip', 'application/zip'] })
  @ApiJsonBodyAlternative(ManifestBody)
  @ApiExtraModels(ManifestFileBody, UploadedDeployBody, StartedDeployBody)
  @ApiCreatedResponse({
    description: 'The deploy with `activation` after an archive, with `missing` after a manifest',
    schema: { oneOf: [{ $ref: getSchemaPath(UploadedDeployBody) }, { $ref: getSchemaPath(StartedDeployBody) }] },
    headers: responseHeaders('Location'),
  })
  @ApiProblems(
    ...UPLOAD_PROBLEMS,
    new AppNotFound(),
    new PayloadTooLarge(),
    new ArchiveRejected([{ field: '../index.html', reason: 'The path leads out of the archive.' }]),
    new DeployInterrupted(),
    new DeployTimeout(),
    ...SERVER_PROBLEMS,
  )
  @QueryParameters('activate', 'branch', 'commit', 'message', 'url')
  async upload(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadedDeploy | StartedDeploy> {
    const deploy = hasManifest(request)
      ? await this.startByDigest.execute(member, id, parseManifestUpload(request, reply))
      : await this.ingestion.upload(member, id, parseArchiveUpload(request, reply));
    void reply.header('location', `/api/deploys/${deploy.id}`);
    return deploy;
  }

  @Put('deploys/:id/blobs/:digest')
  @HttpCode(204)
  @StreamedBody()
  @ApiOperation({
    operationId: 'uploadBlob',
    summary: 'Upload a file by its digest',
    description:
      'Accepts the bytes of a file that the manifest of the deploy names. A blob that arrived is not needed again, ' +
      'neither for this deploy nor for others of the organization. Can be repeated.',
  })
  @ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } })
  @ApiParam({
    name: 'digest',
    description: 'The SHA-256 of the bytes, as in the manifest',
    schema: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$', example: `sha256:${'5f'.repeat(32)}` },
  })
  @ApiBinaryBody({ description: 'The bytes of the file', mediaTypes: ['application/octet-stream'] })
  @ApiNoContentResponse({ description: 'The bytes are stored' })
  @ApiProblems(
    ...UPLOAD_PROBLEMS,
    new DigestMismatch(),
    new DeployNotFound(),
    new BlobNotInManifest(),
    new DeployNotUploading(),
    new DeployInterrupted(),
  )
  uploadBlob(
    @CurrentMember() member: Member,
    @Param() { id, digest }: { readonly id: string; readonly digest: string },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    return this.receiveBlob.execute(member, id, digest, parseBlobUpload(request, reply));
  }

  @Post('deploys/:id/finish')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'finishDeploy',
    summary: 'Finish a deploy by digest',
    description:
      'Makes the deploy ready when all blobs of its manifest have arrived, and activates it like an uploaded archive. ' +
      'Can be repeated: a deploy that is ready stays as it is.',
  })
  @ApiQuery(ACTIVATE)
  @ApiOkResponse({ type: UploadedDeployBody })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new DeployNotFound(),
    new BlobsMissing([`sha256:${'0'.repeat(64)}`]),
    new DeployNotUploading(),
    new DeploysUnavailable(),
    new DeployInterrupted(),
    ...SERVER_PROBLEMS,
    ...STORAGE_PROBLEMS,
  )
  @QueryParameters('activate')
  finish(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<UploadedDeploy> {
    return this.finishByDigest.execute(member, id, parseActivation(request));
  }
}
