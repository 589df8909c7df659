import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { App, AppDeletion, AppList, AppType } from '@homeport/apps/contracts';
import {
  CurrentMember,
  KeysUnavailable,
  type Member,
  OrganizationRequired,
  TokenExpired,
  TokenInvalid,
  Unauthenticated,
} from '@homeport/identity/server';
import {
  DatabaseUnavailable,
  InvalidRequest,
  PayloadTooLarge,
  Problems,
  RateLimited,
  UnsupportedMediaType,
} from '@homeport/platform/server';
import type { FastifyReply } from 'fastify';
import { AppRegistry } from '../../application/app-registry';
import { AppMissing, SubdomainInvalid, SubdomainReserved, SubdomainTaken } from '../../domain/apps.errors';
import { AppBody, AppDeletionBody, AppListBody, RegisterAppBody } from './apps.dto';

/** The apps of the organization the token names. */
@ApiTags('Apps')
@ApiBearerAuth()
@Problems(
  new Unauthenticated(),
  new TokenInvalid(''),
  new TokenExpired(),
  new OrganizationRequired(),
  new KeysUnavailable(),
  new DatabaseUnavailable(),
  new RateLimited(),
)
@Controller('api/apps')
export class AppsController {
  constructor(private readonly registry: AppRegistry) {}

  @Post()
  @ApiOperation({ summary: 'Register an app', description: '201 also when its DNS record could not be made yet.' })
  @ApiCreatedResponse({ type: AppBody, headers: { Location: { schema: { type: 'string' } } } })
  @Problems(
    new InvalidRequest(''),
    new SubdomainInvalid('length'),
    new SubdomainReserved(''),
    new SubdomainTaken(''),
    new PayloadTooLarge(),
    new UnsupportedMediaType(),
  )
  register(
    @CurrentMember() member: Member,
    @Body() { name, type }: RegisterAppBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<App> {
    return this.registry.register(member, name, appType(type)).then((app) => located(app, reply));
  }

  @Get()
  @ApiOperation({ summary: 'List the apps of the organization, newest first' })
  @ApiOkResponse({ type: AppListBody })
  list(@CurrentMember() member: Member): Promise<AppList> {
    return this.registry.list(member);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an app' })
  @ApiOkResponse({ type: AppBody })
  @Problems(new AppMissing())
  get(@CurrentMember() member: Member, @Param('id') id: string): Promise<App> {
    return this.registry.get(member, id);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete an app and its DNS record' })
  @ApiOkResponse({ type: AppDeletionBody })
  @Problems(new AppMissing())
  delete(@CurrentMember() member: Member, @Param('id') id: string): Promise<AppDeletion> {
    return this.registry.delete(member, id);
  }

  @Post(':id/dns/retry')
  @HttpCode(202)
  @ApiOperation({ summary: 'Try the DNS record again' })
  @ApiAcceptedResponse({ type: AppBody })
  @Problems(new AppMissing())
  retryDns(@CurrentMember() member: Member, @Param('id') id: string): Promise<App> {
    return this.registry.retryDns(member, id);
  }
}

/** The body class has checked that it is one of the types, in whatever case. */
function appType(type = 'static'): AppType {
  return type.toLowerCase() as AppType;
}

function located(app: App, reply: FastifyReply): App {
  void reply.header('location', `/api/apps/${app.id}`);
  return app;
}
