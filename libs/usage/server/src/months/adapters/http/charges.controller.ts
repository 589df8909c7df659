import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Member } from '@homeport/identity/contracts';
import { CurrentMember, MemberProblems } from '@homeport/identity/server/nest';
import { InvalidRequest } from '@homeport/kernel';
import { ApiProblems, QueryParameters, responseHeaders } from '@homeport/platform/server/http';
import type { ChargeList } from '@homeport/usage/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ChargeHistory } from '../../application/charge-history';
import { ChargeNotFound, MeteringOff } from '../../domain/months.errors';
import { chargeCsv, focusCsv } from './charge-csv';
import { ChargedMonthBody, ChargeListBody } from './charges.dto';
import { CSV, prefersCsv } from './prefers-csv';

const FORMAT = {
  name: 'format',
  required: false,
  description: '`focus` for a CSV file with the columns of FOCUS 1.2, the FinOps Open Cost and Usage Specification',
  schema: { type: 'string', enum: ['focus'] },
} as const;

const CSV_EXAMPLE =
  'period,item,label,unit,quantity,unit_usd,amount_usd,waived,in_trial,sentence,statement_version,statement_sha256\r\n' +
  '2026-11,gateway-call,Gateway call,call,31250,0.0004,12.5,false,false,"Gateway call: 31250 × 0.0004 USD a call = ' +
  '12.5 USD, …",2026-10-01,0e1af31a0b0b2f3fceca22f306674f75b1d3464cc5a60b9c487a295856253348\r\n';

/** Only CSV has one. */
const FILE_NAME = {
  description: 'The name of the CSV file.',
  schema: { type: 'string', example: 'attachment; filename="charge-2026-11.csv"' },
} as const;

/** The charges of an organization. They never change; corrections add to them. */
@ApiTags('Usage')
@ApiBearerAuth()
@MemberProblems()
@Controller('api/charges')
export class ChargesController {
  constructor(private readonly charges: ChargeHistory) {}

  @Get()
  @ApiOperation({
    operationId: 'listCharges',
    summary: 'List the charged months',
    description: 'Newest first. A month is charged 24 hours after its end (UTC), while metering is on.',
  })
  @ApiOkResponse({ type: ChargeListBody })
  list(@CurrentMember() member: Member): Promise<ChargeList> {
    return this.charges.list(member);
  }

  @Get(':period')
  @ApiOperation({
    operationId: 'getCharge',
    summary: 'Read the charge of a month',
    description:
      'Each line has a sentence that explains its amount. A charge never changes: `corrections` add to it. With ' +
      '`Accept: text/csv` it is a CSV file. `statement` names the bytes of the pricing statement that priced the ' +
      'month, and so does each row of a CSV file (FOCUS: `x_StatementVersion` and `x_StatementSha256`).',
  })
  @ApiParam({ name: 'period', description: 'A month', example: '2026-11' })
  @ApiQuery(FORMAT)
  @ApiExtraModels(ChargedMonthBody)
  @ApiOkResponse({
    description: 'The charge',
    headers: { ...responseHeaders('Vary'), 'Content-Disposition': FILE_NAME },
    content: {
      'application/json': { schema: { $ref: getSchemaPath(ChargedMonthBody) } },
      [CSV]: { schema: { type: 'string' }, example: CSV_EXAMPLE },
    },
  })
  @ApiProblems(new InvalidRequest('The format is unknown.'), new ChargeNotFound(), new MeteringOff())
  @QueryParameters('format')
  async get(
    @CurrentMember() member: Member,
    @Param('period') period: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { format } = request.query as { readonly format?: string };
    if (format !== undefined && format !== 'focus') {
      throw new InvalidRequest('The format is unknown.', [{ field: 'format', reason: 'must be focus' }]);
    }
    const charge = await this.charges.get(member, period);
    void reply.header('vary', 'Authorization, Accept');
    const isCsv = format === 'focus' || prefersCsv(request.headers.accept);
    if (!isCsv) return void reply.send(charge);
    const suffix = format === 'focus' ? '-focus' : '';
    void reply
      .type(`${CSV}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="charge-${charge.period}${suffix}.csv"`)
      .send(format === 'focus' ? focusCsv(charge, member.organization) : chargeCsv(charge));
  }
}
