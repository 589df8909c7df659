import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Actor, ApiTokenList, CreatedApiToken, Member } from '@homeport/identity/contracts';
import { InvalidRequest } from '@homeport/kernel';
import { ApiProblems } from '@homeport/platform/server/http';
import type { FastifyRequest } from 'fastify';
import { CurrentActor, CurrentMember } from '../../../adapters/http/current-actor';
import { MemberProblems, PersonProblems } from '../../../adapters/http/person-problems';
import { MAX_TOKENS } from '../../application/create-token';
import type { TokenOwner } from '../../domain/token-record';
import { AppMissing, TokenQuotaExceeded } from '../../domain/tokens.errors';
import { refuseIdempotencyKey } from './token-requests';
import { TokenUseCases } from './token-use-cases';
import {
  ApiTokenListBody,
  CreatedApiTokenBody,
  OrganizationTokenRequestBody,
  PersonalTokenRequestBody,
  toNewToken,
} from './tokens.dto';

const REVOKED = 'Every instance rejects the token within one second. Succeeds if there is no such token.';

/** The tokens of an organization. */
@ApiTags('Tokens')
@ApiBearerAuth()
@Controller('api/tokens')
export class TokensController {
  constructor(private readonly useCases: TokenUseCases) {}

  @Post()
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Create a token of the organization',
    description:
      'The answer contains the secret, which is not stored. `app_id` limits the token to one app. `Idempotency-Key` ' +
      `is rejected. An organization can have ${MAX_TOKENS} tokens.`,
  })
  @ApiCreatedResponse({ type: CreatedApiTokenBody })
  @MemberProblems(new TokenQuotaExceeded(MAX_TOKENS))
  @ApiProblems(new InvalidRequest('The request body is not valid JSON in UTF-8.'), new AppMissing())
  create(
    @CurrentMember() member: Member,
    @Body() body: OrganizationTokenRequestBody,
    @Req() request: FastifyRequest,
  ): Promise<CreatedApiToken> {
    refuseIdempotencyKey(request);
    return this.useCases.createToken.forOrganization(member, toNewToken(body));
  }

  @Get()
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List the tokens of the organization',
    description: 'Newest first, without the secrets.',
  })
  @ApiOkResponse({ type: ApiTokenListBody })
  @MemberProblems()
  list(@CurrentMember() member: Member): Promise<ApiTokenList> {
    return this.useCases.listTokens.execute(organizationOf(member));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revoke a token of the organization', description: REVOKED })
  @ApiNoContentResponse()
  @MemberProblems()
  revoke(@CurrentMember() member: Member, @Param('id') id: string): Promise<void> {
    return this.useCases.revokeToken.execute(member, organizationOf(member), id);
  }
}

/** The tokens of the signed-in person. */
@ApiTags('Tokens')
@ApiBearerAuth()
@Controller('api/me/tokens')
export class PersonalTokensController {
  constructor(private readonly useCases: TokenUseCases) {}

  @Post()
  @ApiOperation({
    operationId: 'createPersonalToken',
    summary: 'Create a personal token',
    description:
      'The token gives access to the workspace of the signed-in person; `prefix` confines it to one folder. The ' +
      `answer contains the secret, which is not stored. \`Idempotency-Key\` is rejected. A person can have ${MAX_TOKENS} tokens.`,
  })
  @ApiCreatedResponse({ type: CreatedApiTokenBody })
  @PersonProblems(new TokenQuotaExceeded(MAX_TOKENS))
  @ApiProblems(new InvalidRequest('The request body is not valid JSON in UTF-8.'))
  create(
    @CurrentActor() actor: Actor,
    @Body() body: PersonalTokenRequestBody,
    @Req() request: FastifyRequest,
  ): Promise<CreatedApiToken> {
    refuseIdempotencyKey(request);
    return this.useCases.createToken.forPerson(actor, toNewToken(body));
  }

  @Get()
  @ApiOperation({
    operationId: 'listPersonalTokens',
    summary: 'List the personal tokens',
    description: 'Newest first, without the secrets.',
  })
  @ApiOkResponse({ type: ApiTokenListBody })
  @PersonProblems()
  list(@CurrentActor() actor: Actor): Promise<ApiTokenList> {
    return this.useCases.listTokens.execute(personOf(actor));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokePersonalToken', summary: 'Revoke a personal token', description: REVOKED })
  @ApiNoContentResponse()
  @PersonProblems()
  revoke(@CurrentActor() actor: Actor, @Param('id') id: string): Promise<void> {
    return this.useCases.revokeToken.execute(actor, personOf(actor), id);
  }
}

function organizationOf({ organization }: Member): TokenOwner {
  return { kind: 'organization', organization };
}

function personOf({ issuer, subject }: Actor): TokenOwner {
  return { kind: 'personal', issuer, subject };
}
