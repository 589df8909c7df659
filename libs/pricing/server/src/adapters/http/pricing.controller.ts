import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  AnyQuery,
  DatabaseUnavailable,
  InvalidRequest,
  PayloadTooLarge,
  Problems,
  RateLimited,
  RequestHeaders,
  responseHeaders,
  UnsupportedMediaType,
} from '@homeport/platform/server';
import type { Estimate } from '@homeport/pricing/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Estimates } from '../../application/estimates';
import { PriceBook } from '../../application/price-book';
import { PriceHistory } from '../../application/price-history';
import { print } from '../../application/printed';
import { CatalogUnavailable, VersionNotFound, VersionSuperseded } from '../../domain/pricing.errors';
import { statementSchema } from '../../domain/statement-schema';
import { EstimateBody, EstimateRequestBody, VersionListBody } from './pricing.dto';
import { FIVE_MINUTES, sendPrinted, STATEMENT_HEADERS } from './send-printed';

const FOR_GOOD = { 'cache-control': 'public, max-age=31536000, immutable' };
const SCHEMA = print(Buffer.from(JSON.stringify(statementSchema())));
const STATEMENT = { 'application/json': { schema: { $ref: '#/components/schemas/PricingStatement' } } };
const CACHED_HEADERS = responseHeaders('ETag', 'Cache-Control', 'Vary');
const STATEMENT_ANSWER_HEADERS = { ...CACHED_HEADERS, ...responseHeaders('Link') };
const NOT_MODIFIED = { status: 304, description: 'Not modified', headers: CACHED_HEADERS };

/** The public prices. HEAD is answered by the routes of GET. */
@ApiTags('Pricing')
@Problems(new RateLimited())
@Controller('v1/pricing')
export class PricingController {
  constructor(
    private readonly prices: PriceBook,
    private readonly history: PriceHistory,
    private readonly estimates: Estimates,
  ) {}

  @Get()
  @AnyQuery()
  @RequestHeaders('If-None-Match')
  @ApiOperation({
    summary: 'Read the current prices',
    description: 'Returns all prices as one statement. Unknown query parameters are ignored.',
  })
  @ApiOkResponse({ description: 'The whole statement', content: STATEMENT, headers: STATEMENT_ANSWER_HEADERS })
  @ApiResponse({ ...NOT_MODIFIED, headers: STATEMENT_ANSWER_HEADERS })
  @Problems(new CatalogUnavailable([]))
  async statement(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const prices = await this.prices.current();
    void reply.headers(STATEMENT_HEADERS);
    await sendPrinted(request, reply, prices);
  }

  @Get('schema')
  @RequestHeaders('If-None-Match')
  @ApiOperation({
    summary: 'Read the JSON Schema of the statement',
    description: 'JSON Schema 2020-12. Fields may be added over time, so readers ignore unknown fields.',
  })
  @ApiOkResponse({
    description: 'The schema',
    content: { 'application/schema+json': { schema: { type: 'object' } } },
    headers: CACHED_HEADERS,
  })
  @ApiResponse(NOT_MODIFIED)
  async schema(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    void reply.headers(FIVE_MINUTES).type('application/schema+json; charset=utf-8');
    await sendPrinted(request, reply, SCHEMA);
  }

  @Get('versions')
  @RequestHeaders('If-None-Match')
  @ApiOperation({
    summary: 'Every statement that was published, in the order of effect',
    description: 'The last one that is in effect is the current one.',
  })
  @ApiOkResponse({ type: VersionListBody, headers: CACHED_HEADERS })
  @ApiResponse(NOT_MODIFIED)
  @Problems(new DatabaseUnavailable())
  async versions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const items = await this.history.list();
    void reply.headers(FIVE_MINUTES);
    await sendPrinted(request, reply, print(Buffer.from(JSON.stringify({ items }))));
  }

  @Get('versions/:version')
  @RequestHeaders('If-None-Match')
  @ApiOperation({
    summary: 'Read one published statement',
    description: 'Published statements never change, so the answer may be cached without a time limit.',
  })
  @ApiOkResponse({ description: 'The whole statement', content: STATEMENT, headers: CACHED_HEADERS })
  @ApiResponse(NOT_MODIFIED)
  @Problems(new VersionNotFound(), new DatabaseUnavailable(), new CatalogUnavailable([]))
  async version(
    @Param('version') version: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const statement = await this.history.get(version);
    void reply.headers(FOR_GOOD);
    await sendPrinted(request, reply, statement);
  }

  @Post('estimate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'What a usage would cost in a month',
    description: 'For an account created now, and by the very function that charges it. Nothing is stored.',
  })
  @ApiOkResponse({ type: EstimateBody })
  @Problems(
    new InvalidRequest(''),
    new VersionSuperseded(''),
    new PayloadTooLarge(),
    new UnsupportedMediaType(),
    new CatalogUnavailable([]),
  )
  estimate(@Body() body: EstimateRequestBody): Promise<Estimate> {
    return this.estimates.estimate(body);
  }
}
