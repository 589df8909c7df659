import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Member, Trust, TrustList } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import { ApiProblems } from '@homeport/platform/server/http';
import { CurrentMember } from '../../../adapters/http/current-actor';
import { MemberProblems } from '../../../adapters/http/person-problems';
import { AppMissing } from '../../../tokens/domain/tokens.errors';
import { MAX_TRUSTS } from '../../application/create-trust';
import { TrustQuotaExceeded } from '../../domain/trusts.errors';
import { TrustUseCases } from './trust-use-cases';
import { TrustBody, TrustListBody, TrustRequestBody } from './trusts.dto';

/** The trusts of an app: pipelines that receive access tokens without a stored secret. */
@ApiTags('Tokens')
@ApiBearerAuth()
@Controller('api/apps/:id/trusts')
export class TrustsController {
  constructor(private readonly useCases: TrustUseCases) {}

  @Post()
  @ApiOperation({
    operationId: 'createTrust',
    summary: 'Trust the pipelines of an issuer',
    description:
      'Pipelines whose token meets all claims receive access tokens for this app from `POST /auth/token`. ' +
      `An app can have ${MAX_TRUSTS} trusts.`,
  })
  @ApiCreatedResponse({ type: TrustBody })
  @MemberProblems(new TrustQuotaExceeded(MAX_TRUSTS))
  @ApiProblems(new InvalidRequest('The request body is not valid JSON in UTF-8.'), new AppMissing())
  create(@CurrentMember() member: Member, @Param('id') id: string, @Body() body: TrustRequestBody): Promise<Trust> {
    return this.useCases.createTrust.execute(member, id, body);
  }

  @Get()
  @ApiOperation({
    operationId: 'listTrusts',
    summary: 'List the trusts of an app',
    description: 'Returns all trusts, the newest first.',
  })
  @ApiOkResponse({ type: TrustListBody })
  @MemberProblems(new AppMissing())
  list(@CurrentMember() member: Member, @Param('id') id: string): Promise<TrustList> {
    return this.useCases.listTrusts.execute(member, id);
  }

  @Delete(':trust')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteTrust',
    summary: 'Delete a trust',
    description:
      'Access tokens that pipelines received through it are rejected within one second. Succeeds if there is no such ' +
      'trust.',
  })
  @ApiNoContentResponse()
  @MemberProblems()
  delete(@CurrentMember() member: Member, @Param('id') id: string, @Param('trust') trust: string): Promise<void> {
    return this.useCases.deleteTrust.execute(member, id, trust);
  }
}
