import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { App, Deploy, DeployDetails, DeployList } from '@homeport/apps/contracts';
import { CurrentMember, type Member } from '@homeport/identity/server';
import {
  BytesBody,
  DatabaseUnavailable,
  InvalidRequest,
  Problems,
  QueryParameters,
  responseHeaders,
  StreamedBody,
  UnsupportedMediaType,
} from '@homeport/platform/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DeployDesk, DEPLOYS_LISTED } from '../../application/deploys/deploy-desk';
import { DeployIntake } from '../../application/deploys/deploy-intake';
import { AppMissing } from '../../domain/registry/apps.errors';
import { ArchiveRejected } from '../../domain/deploys/archive.errors';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../../domain/blobs/blobs.errors';
import {
  DeployInterrupted,
  DeployMissing,
  DeployNotActive,
  DeployNotReady,
  DeploysBusy,
  NothingToRollBack,
} from '../../domain/deploys/deploys.errors';
import type { SeenBefore } from '../../domain/deploys/roll-back';
import { listRequestIn, MOST_LISTED } from './app-requests';
import { AppBody } from './apps.dto';
import { uploadIn } from './deploy-requests';
import { DeployBody, DeployDetailsBody, DeployListBody } from './deploys.dto';
import { MemberProblems } from './member-problems';

/** What was deployed to an app, and what comes next. */
@ApiTags('Deploys')
@ApiBearerAuth()
@MemberProblems(new DatabaseUnavailable())
@Controller('api/apps/:id')
export class AppDeploysController {
  constructor(
    private readonly desk: DeployDesk,
    private readonly intake: DeployIntake,
  ) {}

  @Post('deploys')
  @StreamedBody()
  @ApiOperation({
    summary: 'Upload the files of an app',
    description: 'A tar.gz or a zip. Visitors see it as soon as it is ready, unless `activate=false`.',
  })
  @ApiQuery({ name: 'activate', required: false, schema: { type: 'boolean', default: true } })
  @BytesBody({ description: 'The archive', mediaTypes: ['application/gzip', 'application/zip'] })
  @ApiCreatedResponse({ type: DeployBody, headers: responseHeaders('Location') })
  @Problems(
    new InvalidRequest(''),
    new AppMissing(),
    new UnsupportedMediaType(),
    new ArchiveRejected([]),
    new DeploysBusy(),
    new DeployInterrupted(),
    new BlobStorageFailed(),
    new BlobStorageUnavailable(),
    new BlobStorageTimeout(),
  )
  @QueryParameters('activate')
  async upload(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Deploy> {
    const deploy = await this.intake.upload(member, id, uploadIn(request, reply));
    void reply.header('location', `/api/deploys/${deploy.id}`);
    return deploy;
  }

  @Get('deploys')
  @ApiOperation({
    summary: 'List the deploys of an app',
    description: 'Returns the newest deploys first, page by page.',
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MOST_LISTED, default: DEPLOYS_LISTED },
  })
  @ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' } })
  @ApiOkResponse({ type: DeployListBody })
  @Problems(new InvalidRequest(''), new AppMissing())
  @QueryParameters('limit', 'cursor')
  list(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Query() query: Record<string, string>,
  ): Promise<DeployList> {
    return this.desk.list(member, id, listRequestIn(query));
  }

  @Post('rollback')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Show visitors what they saw before',
    description:
      'Each call goes one further back, and never to what was rolled back from. With `from` it happens only once, ' +
      'however often it is asked for.',
  })
  @ApiQuery({
    name: 'from',
    required: false,
    description: 'The deploy that has to be active; nothing changes when another one is.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery({
    name: 'to',
    required: false,
    description: 'The deploy that has to become active; nothing changes when it would be another one.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ type: AppBody })
  @Problems(new InvalidRequest(''), new AppMissing(), new DeployNotActive(), new NothingToRollBack())
  @QueryParameters('from', 'to')
  rollBack(@CurrentMember() member: Member, @Param('id') id: string, @Query() seen: SeenBefore): Promise<App> {
    return this.desk.rollBack(member, id, seen);
  }
}

/** Single deploys, by their own ids. */
@ApiTags('Deploys')
@ApiBearerAuth()
@MemberProblems(new DatabaseUnavailable())
@Controller('api/deploys')
export class DeploysController {
  constructor(private readonly desk: DeployDesk) {}

  @Get(':id')
  @ApiOperation({
    summary: 'Read a deploy',
    description: 'Returns the deploy with its files and the problems found in them.',
  })
  @ApiOkResponse({ type: DeployDetailsBody })
  @Problems(new DeployMissing())
  get(@CurrentMember() member: Member, @Param('id') id: string): Promise<DeployDetails> {
    return this.desk.get(member, id);
  }

  @Post(':id/activate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Show a deploy to visitors', description: 'A newer or an older one; both are instant.' })
  @ApiOkResponse({ type: AppBody })
  @Problems(new DeployMissing(), new DeployNotReady())
  activate(@CurrentMember() member: Member, @Param('id') id: string): Promise<App> {
    return this.desk.activate(member, id);
  }
}
