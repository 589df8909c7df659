import { Controller, Header, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  getSchemaPath,
  ApiExtraModels,
} from '@nestjs/swagger';
import type { ExchangedToken } from '@homeport/identity/contracts';
import { DatabaseUnavailable, RateLimited } from '@homeport/kernel';
import { ApiProblems, FormBody, responseHeaders } from '@homeport/platform/server/http';
import type { FastifyRequest } from 'fastify';
import { KeysUnavailable } from '../../../domain/identity.errors';
import { parseExchangeRequest } from '../../domain/exchange-request';
import { TokenExchangeFilter } from './token-exchange.filter';
import { TrustUseCases } from './trust-use-cases';
import { ExchangedTokenBody, ExchangeErrorBody } from './trusts.dto';

const UNCACHED_HEADERS = responseHeaders('Cache-Control');
const TEXT = { type: 'string' } as const;
const FORM_SCHEMA = {
  type: 'object',
  required: ['grant_type', 'subject_token', 'subject_token_type', 'audience'],
  properties: {
    grant_type: { ...TEXT, enum: ['urn:ietf:params:oauth:grant-type:token-exchange'] },
    subject_token: {
      ...TEXT,
      example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl',
      description: 'The ID token of the pipeline. Its `aud` is the address of this server.',
    },
    subject_token_type: { ...TEXT, enum: ['urn:ietf:params:oauth:token-type:id_token'] },
    audience: { ...TEXT, format: 'uuid', description: 'The id of the app' },
    scope: { ...TEXT, description: 'Separated by spaces; all scopes of the trust when absent' },
  },
};

/** The token endpoint for pipelines. */
@ApiTags('Tokens')
@ApiExtraModels(ExchangeErrorBody)
@Controller('auth/token')
export class TokenExchangeController {
  constructor(private readonly useCases: TrustUseCases) {}

  @Post()
  @HttpCode(200)
  @FormBody()
  @UseFilters(TokenExchangeFilter)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'exchangeToken',
    summary: 'Exchange the token of a pipeline',
    description:
      'Token exchange (RFC 8693): a pipeline sends the ID token of its issuer and receives an access token of 15 ' +
      'minutes for one app, if a trust of the app admits it.',
  })
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ schema: FORM_SCHEMA, required: true })
  @ApiOkResponse({ type: ExchangedTokenBody, headers: UNCACHED_HEADERS })
  @ApiResponse({
    status: 400,
    description: 'An error of RFC 6749, section 5.2',
    headers: UNCACHED_HEADERS,
    content: { 'application/json': { schema: { $ref: getSchemaPath(ExchangeErrorBody) } } },
  })
  @ApiProblems(new KeysUnavailable(), new DatabaseUnavailable(), new RateLimited())
  exchange(@Req() { body }: FastifyRequest): Promise<ExchangedToken> {
    return this.useCases.exchangeToken.execute(
      parseExchangeRequest(body instanceof URLSearchParams ? body : new URLSearchParams()),
    );
  }
}
