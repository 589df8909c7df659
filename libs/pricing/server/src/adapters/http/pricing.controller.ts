import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AnyQuery, Problems, RateLimited, sendTagged } from '@homeport/platform/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PriceBook, type PublishedStatement } from '../../application/price-book';
import { CatalogUnavailable } from '../../domain/pricing.errors';

/** The public prices. */
@ApiTags('Pricing')
@Problems(new RateLimited())
@Controller('v1/pricing')
export class PricingController {
  constructor(private readonly prices: PriceBook) {}

  /** HEAD is answered by the same route. */
  @Get()
  @AnyQuery()
  @ApiOperation({ summary: 'The current prices, as one statement' })
  @ApiOkResponse({
    description: 'The whole statement',
    content: { 'application/json': { schema: { type: 'object' } } },
  })
  @ApiResponse({ status: 304, description: 'The statement the caller has is still right' })
  @Problems(new CatalogUnavailable([]))
  statement(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.prices.statement().then((statement) => sendStatement(request, reply, statement));
  }
}

async function sendStatement(
  request: FastifyRequest,
  reply: FastifyReply,
  statement: PublishedStatement,
): Promise<void> {
  void reply.headers({ 'cache-control': 'max-age=300', 'access-control-allow-origin': '*' });
  await sendTagged(request, reply, statement);
}
