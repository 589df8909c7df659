import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { App, AppDeletion, SubdomainAvailability } from '@homeport/apps/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { type Member } from '@homeport/identity/contracts';
import { CapacityUnavailable, InvalidRequest } from '@homeport/kernel';
import {
  LargeResponses,
  ApiProblems,
  QueryParameters,
  ApiRequestHeaders,
  responseHeaders,
} from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppCatalog } from '../../application/app-catalog';
import {
  AppNotFound,
  AppQuotaExceeded,
  IdempotencyInProgress,
  IdempotencyMismatch,
  RuntimeOff,
  SubdomainInvalid,
  SubdomainReserved,
  SubdomainTaken,
} from '../../domain/apps.errors';
import { AppUseCases } from './app-use-cases';
import { MAX_PAGE_SIZE, parseListRequest } from '../../../shared/adapters/http/list-requests';
import { sendRegistrationResponse, toRegisterAppRequest } from './app-requests';
import { AppBody, AppDeletionBody, AppListBody, RegisterAppBody, SubdomainAvailabilityBody } from './apps.dto';

/** The apps of the organization that the token names. */
@ApiTags('Apps')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/apps')
export class AppsController {
  constructor(
    private readonly useCases: AppUseCases,
    private readonly largeResponses: LargeResponses,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'registerApp',
    summary: 'Register an app',
    description: 'Returns 201 even if its DNS record could not be created yet.',
  })
  @ApiRequestHeaders('Idempotency-Key')
  @ApiCreatedResponse({ type: AppBody, headers: responseHeaders('Location') })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new SubdomainInvalid('length'),
    new SubdomainReserved('admin'),
    new SubdomainTaken('my-shop'),
    new AppQuotaExceeded(1_000),
    new RuntimeOff(),
    new IdempotencyMismatch(),
    new IdempotencyInProgress(),
  )
  register(
    @CurrentMember() member: Member,
    @Body() body: RegisterAppBody,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.useCases.registerApp
      .execute(member, toRegisterAppRequest(body, request), request.id)
      .then((response) => sendRegistrationResponse(response, reply));
  }

  @Get()
  @ApiOperation({
    operationId: 'listApps',
    summary: 'List the apps of the organization, newest first',
    description: 'Returns all apps by default.',
  })
  @ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE } })
  @ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' } })
  @ApiOkResponse({ type: AppListBody })
  @ApiProblems(new InvalidRequest('The request body is not valid JSON in UTF-8.'), new CapacityUnavailable())
  @QueryParameters('limit', 'cursor')
  list(
    @CurrentMember() member: Member,
    @Query() query: Record<string, string>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.largeResponses.send(reply, member.organization, () =>
      this.useCases.catalog.list(member, parseListRequest(query)),
    );
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getApp', summary: 'Read an app', description: 'Returns one app of the organization.' })
  @ApiOkResponse({ type: AppBody })
  @ApiProblems(new AppNotFound())
  get(@CurrentMember() member: Member, @Param('id') id: string): Promise<App> {
    return this.useCases.catalog.get(member, id);
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'deleteApp',
    summary: 'Delete an app and its DNS record',
    description:
      'Takes the site offline and archives its deploys. `dns` is `dangling` if the record could not be removed yet; ' +
      'removal is then retried in the background.',
  })
  @ApiOkResponse({ type: AppDeletionBody })
  @ApiProblems(new AppNotFound())
  delete(@CurrentMember() member: Member, @Param('id') id: string): Promise<AppDeletion> {
    return this.useCases.deleteApp.execute(member, id);
  }

  @Post(':id/dns/retry')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'retryAppDns',
    summary: 'Retry the DNS record of an app',
    description: 'Checks the record and writes it again if needed. `dns_status` of the answer shows the result.',
  })
  @ApiAcceptedResponse({ type: AppBody })
  @ApiProblems(new AppNotFound())
  retryDns(@CurrentMember() member: Member, @Param('id') id: string): Promise<App> {
    return this.useCases.retryDns.execute(member, id);
  }
}

/** Checks whether a name is available, before registration. */
@ApiTags('Apps')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/subdomains')
export class SubdomainsController {
  constructor(private readonly catalog: AppCatalog) {}

  @Get(':candidate')
  @ApiParam({ name: 'candidate', description: 'The name or the subdomain to check', example: 'My Shop' })
  @ApiOperation({
    operationId: 'checkSubdomain',
    summary: 'Check whether a name is available',
    description: 'A hint for forms. Only a registration reserves the name.',
  })
  @ApiOkResponse({ type: SubdomainAvailabilityBody })
  availability(@CurrentMember() member: Member, @Param('candidate') candidate: string): Promise<SubdomainAvailability> {
    return this.catalog.availability(member, candidate);
  }
}
