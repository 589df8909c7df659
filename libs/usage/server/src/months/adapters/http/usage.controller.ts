import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Member } from '@homeport/identity/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { InvalidRequest } from '@homeport/kernel';
import { ApiProblems, QueryParameters } from '@homeport/platform/server/http';
import type { DailyUsage, UsageMonth } from '@homeport/usage/contracts';
import { PricesUnavailable } from '../../../shared/adapters/http/prices-unavailable';
import { ReadMonth } from '../../application/read-month';
import { ItemUnknown, PeriodInvalid } from '../../domain/months.errors';
import { DailyUsageBody, UsageMonthBody } from './usage.dto';

const PERIOD_QUERY = {
  name: 'period',
  required: false,
  description: 'The current or a past month in UTC, such as `2026-11`. Default: the current month',
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
} as const;

/** The usage of an organization with its cost. */
@ApiTags('Usage')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/usage')
export class UsageController {
  constructor(private readonly months: ReadMonth) {}

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
}
