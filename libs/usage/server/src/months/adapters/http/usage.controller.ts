import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { Member } from '@homeport/identity/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '@homeport/kernel';
import { ApiProblems, JsonBody, QueryParameters } from '@homeport/platform/server/http';
import type { DailyUsage, ReportedUsage, UsageMonth } from '@homeport/usage/contracts';
import { ReportUsage } from '../../../metering/application/report-usage';
import { MAX_EVENTS } from '../../../metering/domain/reported-events';
import { UsageEventsInvalid } from '../../../metering/domain/usage.errors';
import { PricesUnavailable } from '../../../shared/adapters/http/prices-unavailable';
import { ReadMonth } from '../../application/read-month';
import { ItemUnknown, PeriodInvalid } from '../../domain/months.errors';
import { EVENT_BATCH_SCHEMA } from './event-batch-schema';
import { DailyUsageBody, ReportedUsageBody, UsageMonthBody } from './usage.dto';

const EVENT_BATCH = 'application/cloudevents-batch+json';
/** An event has at most 12 values. */
const MAX_VALUES = 12 * MAX_EVENTS;
const PERIOD_QUERY = {
  name: 'period',
  required: false,
  description: 'The current or a past month in UTC, such as `2026-11`. Default: the current month',
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
} as const;

/** The usage of an organization. */
@ApiTags('Usage')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/usage')
export class UsageController {
  constructor(
    private readonly months: ReadMonth,
    private readonly reports: ReportUsage,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getUsage',
    summary: 'Read the usage of a month',
    description:
      'Returns the usage with its cost, rated like the charge of the month. `statement` identifies the bytes of the ' +
      'published prices.',
  })
  @ApiQuery(PERIOD_QUERY)
  @ApiOkResponse({ type: UsageMonthBody })
  @ApiProblems(
    new InvalidRequest('Unknown query parameter: "month".'),
    new PeriodInvalid('is in the future'),
    new PricesUnavailable(),
  )
  @QueryParameters('period')
  get(@CurrentMember() member: Member, @Query('period') period?: string): Promise<UsageMonth> {
    return this.months.execute(member, period);
  }

  @Get('daily')
  @ApiOperation({
    operationId: 'listDailyUsage',
    summary: 'Read the usage of an item by day',
    description:
      'The quantities of the days add up to the quantity of the month, except for rounding of levels. Late usage is at ' +
      'its day, in an earlier month.',
  })
  @ApiQuery(PERIOD_QUERY)
  @ApiQuery({
    name: 'item',
    description: 'The id of an item of the usage card',
    schema: { type: 'string', example: 'gateway-call' },
  })
  @ApiOkResponse({ type: DailyUsageBody })
  @ApiProblems(
    new InvalidRequest('Unknown query parameter: "month".'),
    new PeriodInvalid('is in the future'),
    new ItemUnknown(['gateway-call', 'storage']),
    new PricesUnavailable(),
  )
  @QueryParameters('period', 'item')
  daily(
    @CurrentMember() member: Member,
    @Query('period') period: string | undefined,
    @Query('item') item = '',
  ): Promise<DailyUsage> {
    return this.months.daily(member, period, item);
  }

  @Post('events')
  @HttpCode(202)
  @JsonBody({ mediaType: EVENT_BATCH, maxValues: MAX_VALUES })
  @ApiOperation({
    operationId: 'reportUsage',
    summary: 'Report usage',
    description:
      'Stores usage of another product of the organization as a batch of CloudEvents, all of them or none. An event ' +
      'with the `source` and `id` of an earlier one does not count again, so a batch can be repeated. Usage of a ' +
      'charged month counts in the next one.',
  })
  @ApiConsumes(EVENT_BATCH)
  @ApiBody({ required: true, schema: EVENT_BATCH_SCHEMA })
  @ApiAcceptedResponse({ type: ReportedUsageBody, description: 'The events are stored' })
  @ApiProblems(
    new InvalidRequest('The request body is not valid JSON in UTF-8.'),
    new UsageEventsInvalid([
      { field: '[0].data.quantity', reason: 'must be a number of 0 or more, in plain decimals' },
    ]),
    new PayloadTooLarge(),
    new UnsupportedMediaType(),
    new PricesUnavailable(),
  )
  report(@CurrentMember() member: Member, @Body() body: unknown): Promise<ReportedUsage> {
    return this.reports.execute(member, body);
  }
}
