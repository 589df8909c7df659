import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AllowAnyQuery, ApiProblems, ApiRequestHeaders, responseHeaders } from '@homeport/platform/server/http';
import {
  DatabaseUnavailable,
  InvalidRequest,
  PayloadTooLarge,
  RateLimited,
  UnsupportedMediaType,
} from '@homeport/kernel';
import type { Estimate } from '@homeport/pricing/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Estimates } from '../../application/estimates';
import { PriceBook } from '../../application/price-book';
import { PriceHistory } from '../../application/price-history';
import { encodeRepresentations } from '../../application/encoded-representations';
import { CatalogUnavailable, VersionNotFound, VersionSuperseded } from '../../domain/pricing.errors';
import { statementSchema } from '../../domain/statement-schema';
import { EstimateBody, EstimateRequestBody, VersionListBody } from './pricing.dto';
import { FIVE_MINUTES, sendRepresentation, STATEMENT_HEADERS } from './send-representation';

const IMMUTABLE = { 'cache-control': 'public, max-age=31536000, immutable' };
const SCHEMA = encodeRepresentations(Buffer.from(JSON.stringify(statementSchema())));
const STATEMENT_SCHEMA = { $ref: '#/components/schemas/PricingStatement' };
/** The live statement is the best example. */
const liveExample = (externalValue: string) => ({ live: { summary: 'Of this installation', externalValue } });
const CACHED_HEADERS = responseHeaders('ETag', 'Cache-Control', 'Vary');
const STATEMENT_RESPONSE_HEADERS = { ...CACHED_HEADERS, ...responseHeaders('Link') };
const NOT_MODIFIED = { status: 304, description: 'Not modified', headers: CACHED_HEADERS };

/** The public prices. The GET routes also handle HEAD. */
@ApiTags('Pricing')
@ApiProblems(new RateLimited())
@Controller('v1/pricing')
export class PricingController {
  constructor(
    private readonly prices: PriceBook,
    private readonly history: PriceHistory,
    private readonly estimates: Estimates,
  ) {}

  @Get()
  @AllowAnyQuery()
  @ApiRequestHeaders('If-None-Match')
  @ApiOperation({
    operationId: 'getPrices',
    summary: 'Read the current prices',
    description: 'Returns all prices as one statement. Unknown query parameters are ignored.',
  })
  @ApiOkResponse({
    description: 'The whole statement',
    content: { 'application/json': { schema: STATEMENT_SCHEMA, examples: liveExample('/v1/pricing') } },
    headers: STATEMENT_RESPONSE_HEADERS,
  })
  @ApiResponse({ ...NOT_MODIFIED, headers: STATEMENT_RESPONSE_HEADERS })
  @ApiProblems(new CatalogUnavailable([]))
  async statement(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const prices = await this.prices.current();
    void reply.headers(STATEMENT_HEADERS);
    await sendRepresentation(request, reply, prices);
  }

  @Get('schema')
  @ApiRequestHeaders('If-None-Match')
  @ApiOperation({
    operationId: 'getPriceSchema',
    summary: 'Read the JSON Schema of the statement',
    description: 'JSON Schema 2020-12. Fields may be added over time, so readers ignore unknown fields.',
  })
  @ApiOkResponse({
    description: 'The schema',
    content: { 'application/schema+json': { schema: { type: 'object' }, examples: liveExample('/v1/pricing/schema') } },
    headers: CACHED_HEADERS,
  })
  @ApiResponse(NOT_MODIFIED)
  async schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.headers(FIVE_MINUTES).type('application/schema+json; charset=utf-8');
    await sendRepresentation(request, reply, SCHEMA);
  }

  @Get('versions')
  @ApiRequestHeaders('If-None-Match')
  @ApiOperation({
    operationId: 'listPriceVersions',
    summary: 'List published statements',
    description: 'Sorted by effective date. The last statement in effect is the current one.',
  })
  @ApiOkResponse({ type: VersionListBody, headers: CACHED_HEADERS })
  @ApiResponse(NOT_MODIFIED)
  @ApiProblems(new DatabaseUnavailable())
  async versions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const items = await this.history.list();
    void reply.headers(FIVE_MINUTES);
    await sendRepresentation(request, reply, encodeRepresentations(Buffer.from(JSON.stringify({ items }))));
  }

  @Get('versions/:version')
  @ApiParam({ name: 'version', description: 'From `GET /v1/pricing/versions`', example: '2026-10-01' })
  @ApiRequestHeaders('If-None-Match')
  @ApiOperation({
    operationId: 'getPriceVersion',
    summary: 'Read one published statement',
    description: 'Published statements never change, so the response can be cached indefinitely.',
  })
  @ApiOkResponse({
    description: 'The whole statement',
    content: {
      'application/json': { schema: STATEMENT_SCHEMA, examples: liveExample('/v1/pricing/versions/2026-10-01') },
    },
    headers: CACHED_HEADERS,
  })
  @ApiResponse(NOT_MODIFIED)
  @ApiProblems(new VersionNotFound(), new DatabaseUnavailable(), new CatalogUnavailable([]))
  async version(
    @Param('version') version: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const statement = await this.history.get(version);
    void reply.headers(IMMUTABLE);
    await sendRepresentation(request, reply, statement);
  }

  @Post('estimate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'estimateCost',
    summary: 'Estimate the cost of a month',
    description: 'Uses the prices for an account created now and the same function as billing. Nothing is stored.',
  })
  @ApiOkResponse({ type: EstimateBody })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new VersionSuperseded('2026-09-09'),
    new PayloadTooLarge(),
    new UnsupportedMediaType(),
    new CatalogUnavailable([]),
  )
  estimate(@Body() body: EstimateRequestBody): Promise<Estimate> {
    return this.estimates.estimate(body);
  }
}
