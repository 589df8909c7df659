import { Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { App } from '@homeport/apps/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { type Member } from '@homeport/identity/contracts';
import { LargeResponses, ApiProblems, QueryParameters } from '@homeport/platform/server/http';
import { CapacityUnavailable, InvalidRequest } from '@homeport/kernel';
import type { FastifyReply } from 'fastify';
import { ActivateDeploy } from '../../application/activate-deploy';
import { DeleteDeploy } from '../../application/delete-deploy';
import { DeployCatalog, DEPLOYS_PER_PAGE } from '../../application/deploy-catalog';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import { FILES_PER_PAGE } from '../../application/deploy-repository.port';
import { ReleaseAlias } from '../../application/release-alias';
import { RollBack } from '../../application/roll-back';
import {
  ActiveDeployNotDeletable,
  DeployNotFound,
  ActiveDeployChanged,
  DeployNotReady,
  NothingToRollBack,
} from '../../domain/deploys.errors';
import { MAX_BRANCH_LENGTH } from '../../domain/deploy-source';
import type { ExpectedRelease } from '../../domain/expected-release';
import { parseListRequest, MAX_PAGE_SIZE } from '../../../shared/adapters/http/list-requests';
import { AppBody } from '../../../registry/adapters/http/apps.dto';
import { DeployDetailsBody, DeployFileListBody, DeployListBody } from './deploys.dto';

/** The deploys of an app. */
@ApiTags('Deploys')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/apps/:id')
export class AppDeploysController {
  constructor(
    private readonly catalog: DeployCatalog,
    private readonly rollBackApp: RollBack,
    private readonly releaseAliasOf: ReleaseAlias,
    private readonly largeResponses: LargeResponses,
  ) {}

  @Get('deploys')
  @ApiOperation({
    operationId: 'listDeploys',
    summary: 'List the deploys of an app',
    description: 'Returns the newest deploys first, page by page.',
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: DEPLOYS_PER_PAGE },
  })
  @ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' } })
  @ApiOkResponse({ type: DeployListBody })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new AppNotFound(),
    new CapacityUnavailable(),
  )
  @QueryParameters('limit', 'cursor')
  list(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Query() query: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.largeResponses.send(reply, member.organization, () =>
      this.catalog.list(member, id, parseListRequest(query)),
    );
  }

  @Post('rollback')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rollBackApp',
    summary: 'Roll back to the previous deploy',
    description:
      'Each call goes back one release and never returns to a deploy that was rolled back. Set `from` to make ' +
      'repeated calls roll back only once.',
  })
  @ApiQuery({
    name: 'from',
    required: false,
    description: 'The deploy that must be active; otherwise nothing changes.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiQuery({
    name: 'to',
    required: false,
    description: 'The deploy that must become active; otherwise nothing changes.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ type: AppBody })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new AppNotFound(),
    new ActiveDeployChanged(),
    new NothingToRollBack(),
  )
  @QueryParameters('from', 'to')
  rollBack(@CurrentMember() member: Member, @Param('id') id: string, @Query() expected: ExpectedRelease): Promise<App> {
    return this.rollBackApp.execute(member, id, expected);
  }

  @Delete('aliases/:branch')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'releaseBranchAlias',
    summary: 'Release the alias of a branch',
    description:
      'The address of the alias answers 404 within five seconds. The deploys of the branch stay, and its next deploy ' +
      'takes the alias again. Releasing an alias that is absent succeeds.',
  })
  @ApiParam({
    name: 'branch',
    description: 'The branch as the deploy states it, percent-encoded, its slashes included.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_BRANCH_LENGTH, example: 'main' },
  })
  @ApiNoContentResponse()
  @ApiProblems(new AppNotFound())
  releaseAlias(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Param('branch') branch: string,
  ): Promise<void> {
    return this.releaseAliasOf.execute(member, id, branch);
  }
}

/** Single deploys, by id. */
@ApiTags('Deploys')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/deploys')
export class DeploysController {
  constructor(
    private readonly catalog: DeployCatalog,
    private readonly activateDeploy: ActivateDeploy,
    private readonly deleteDeploy: DeleteDeploy,
    private readonly largeResponses: LargeResponses,
  ) {}

  @Get(':id')
  @ApiOperation({
    operationId: 'getDeploy',
    summary: 'Read a deploy',
    description:
      'Returns the deploy with its first 1,000 files and the problems found in them; `files_next_cursor` continues ' +
      'with the list of files.',
  })
  @ApiOkResponse({ type: DeployDetailsBody })
  @ApiProblems(new DeployNotFound(), new CapacityUnavailable())
  get(@CurrentMember() member: Member, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    return this.largeResponses.send(reply, member.organization, () => this.catalog.get(member, id));
  }

  @Get(':id/files')
  @ApiOperation({
    operationId: 'listDeployFiles',
    summary: 'List the files of a deploy',
    description: 'Sorted by path in ascending order, compared as UTF-8 bytes.',
  })
  @ApiQuery({
    name: 'limit',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: FILES_PER_PAGE },
  })
  @ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' } })
  @ApiOkResponse({ type: DeployFileListBody })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new DeployNotFound(),
    new CapacityUnavailable(),
  )
  @QueryParameters('limit', 'cursor')
  listFiles(
    @CurrentMember() member: Member,
    @Param('id') id: string,
    @Query() query: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.largeResponses.send(reply, member.organization, () =>
      this.catalog.listFiles(member, id, parseListRequest(query)),
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteDeploy',
    summary: 'Delete a deploy',
    description:
      'Withdraws its preview and the files that only it has, within five seconds. Deleting a deploy that is absent or ' +
      'of another organization succeeds. The live deploy cannot be deleted.',
  })
  @ApiNoContentResponse()
  @ApiProblems(new ActiveDeployNotDeletable())
  delete(@CurrentMember() member: Member, @Param('id') id: string): Promise<void> {
    return this.deleteDeploy.execute(member, id);
  }

  @Post(':id/activate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'activateDeploy',
    summary: 'Activate a deploy',
    description: 'Makes a newer or an older deploy live.',
  })
  @ApiOkResponse({ type: AppBody })
  @ApiProblems(new DeployNotFound(), new DeployNotReady())
  activate(@CurrentMember() member: Member, @Param('id') id: string): Promise<App> {
    return this.activateDeploy.execute(member, id);
  }
}
