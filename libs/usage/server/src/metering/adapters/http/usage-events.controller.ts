import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Member } from '@homeport/identity/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { InvalidRequest, PayloadTooLarge, UnsupportedMediaType } from '@homeport/kernel';
import { ApiProblems, JsonBody } from '@homeport/platform/server/http';
import type { ReportedUsage } from '@homeport/usage/contracts';
import { PricesUnavailable } from '../../../shared/adapters/http/prices-unavailable';
import { ReportUsage } from '../../application/report-usage';
import { MAX_EVENTS } from '../../domain/reported-events';
import { UsageEventsInvalid } from '../../domain/usage.errors';
import { EVENT_BATCH_SCHEMA } from './event-batch-schema';
import { ReportedUsageBody } from './usage-events.dto';

const EVENT_BATCH = 'application/cloudevents-batch+json';
/** An event has at most 12 values. */
const MAX_VALUES = 12 * MAX_EVENTS;

/** The usage that other products report. */
@ApiTags('Usage')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/usage/events')
export class UsageEventsController {
  constructor(private readonly reports: ReportUsage) {}

  @Post()
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
