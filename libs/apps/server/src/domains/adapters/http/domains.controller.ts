import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { Domain, DomainList } from '@homeport/apps/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import type { Member } from '@homeport/identity/contracts';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '@homeport/kernel';
import { ApiProblems, QueryParameters } from '@homeport/platform/server/http';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import {
  DomainCovered,
  DomainInvalid,
  DomainNotFound,
  DomainPriceChanged,
  DomainPublicSuffix,
  DomainQuotaExceeded,
  DomainReserved,
  DomainTaken,
} from '../../domain/domains.errors';
import { DomainUseCases } from './domain-use-cases';
import { AddDomainBody, ChangeDomainBody, DomainBody, DomainListBody } from './domains.dto';

/** The own domains of an organization. */
@ApiTags('Domains')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/domains')
export class DomainsController {
  constructor(private readonly useCases: DomainUseCases) {}

  @Post()
  @ApiOperation({
    operationId: 'createDomain',
    summary: 'Add a domain',
    description:
      'Returns the DNS records to create. The domain becomes active when every name server returns them. A pending ' +
      'domain costs nothing.',
  })
  @ApiCreatedResponse({ type: DomainBody })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new DomainInvalid('single-label'),
    new DomainPublicSuffix('github.io'),
    new DomainReserved('shop.localhost'),
    new DomainQuotaExceeded(100),
    new AppNotFound(),
    DomainTaken.byAnother('www.example.com'),
    new DomainCovered('www.example.com', 'example.com'),
    new DomainPriceChanged(10),
    new PayloadTooLarge(),
    new UnsupportedMediaType(),
  )
  add(@CurrentMember() member: Member, @Body() body: AddDomainBody): Promise<Domain> {
    const { kind, name, app_id, accept_price_usd } = body;
    const appId = app_id ?? undefined;
    return this.useCases.registration.execute(member, { kind, name, appId, acceptPriceUsd: accept_price_usd });
  }

  @Get()
  @ApiOperation({
    operationId: 'listDomains',
    summary: 'List the domains of the organization',
    description:
      'Returns the oldest first, without those that were removed, what a domain costs, and which kinds can be added.',
  })
  @ApiQuery({
    name: 'app_id',
    required: false,
    description: 'Only the host names of this app',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiOkResponse({ type: DomainListBody })
  @QueryParameters('app_id')
  list(@CurrentMember() member: Member, @Query('app_id') appId?: string): Promise<DomainList> {
    return this.useCases.catalog.list(member, appId);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getDomain', summary: 'Read a domain', description: 'Returns what the last check saw.' })
  @ApiOkResponse({ type: DomainBody })
  @ApiProblems(new DomainNotFound())
  get(@CurrentMember() member: Member, @Param('id') id: string): Promise<Domain> {
    return this.useCases.catalog.get(member, id);
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateDomain',
    summary: 'Update a domain',
    description:
      'Makes it the main address, redirects it to another name of the app, or tells browsers to open it by https only.',
  })
  @ApiOkResponse({ type: DomainBody })
  @ApiProblems(new InvalidRequest(''), new DomainNotFound(), new PayloadTooLarge(), new UnsupportedMediaType())
  change(@CurrentMember() member: Member, @Param('id') id: string, @Body() body: ChangeDomainBody): Promise<Domain> {
    return this.useCases.editDomain.change(member, id, {
      ...(body.is_primary !== undefined && { isPrimary: body.is_primary }),
      ...(body.redirect_to !== undefined && { redirectTo: body.redirect_to }),
      ...(body.hsts !== undefined && { hsts: body.hsts === 'on' }),
    });
  }

  @Post(':id/check')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'checkDomain',
    summary: 'Check the DNS records of a domain',
    description: 'Asks every name server now, at most once in 5 seconds.',
  })
  @ApiOkResponse({ type: DomainBody })
  @ApiProblems(new DomainNotFound())
  check(@CurrentMember() member: Member, @Param('id') id: string): Promise<Domain> {
    return this.useCases.catalog.check(member, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteDomain',
    summary: 'Delete a domain',
    description: 'The name no longer shows the app, and the organization is no longer charged for it.',
  })
  @ApiNoContentResponse()
  @ApiProblems(new DomainNotFound())
  remove(@CurrentMember() member: Member, @Param('id') id: string): Promise<void> {
    return this.useCases.editDomain.remove(member, id);
  }
}
