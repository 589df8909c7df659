import { ApiProperty, OmitType } from '@nestjs/swagger';
import type { ChargeCorrection, ChargedLine, ChargedMonth, ChargeList, ChargeSummary } from '@homeport/usage/contracts';
import { PERIOD, StatementReferenceBody, UsageLineBody } from './usage.dto';

export class ChargeSummaryBody implements ChargeSummary {
  @ApiProperty(PERIOD) readonly period!: string;
  @ApiProperty({ description: 'decimal', example: '27.51' }) readonly total_usd!: string;
  @ApiProperty({ description: 'decimal: the total with all corrections', example: '22.01' })
  readonly corrected_total_usd!: string;
  @ApiProperty({ format: 'date-time' }) readonly charged_at!: string;
  @ApiProperty({ description: 'the version of the usage card', example: '2026-10-01' }) readonly card!: string;
  @ApiProperty({ type: StatementReferenceBody }) readonly statement!: StatementReferenceBody;
}

export class ChargeListBody implements ChargeList {
  @ApiProperty({ type: [ChargeSummaryBody], description: 'newest first' })
  readonly items!: readonly ChargeSummaryBody[];
  @ApiProperty({ type: String, nullable: true, description: 'always null: one page has all months', example: null })
  readonly next_cursor!: string | null;
}

export class ChargedLineBody extends OmitType(UsageLineBody, ['late_quantity']) implements ChargedLine {
  @ApiProperty({
    description: 'how the amount was calculated',
    example:
      'Gateway call: 31250 × 0.0004 USD a call = 12.5 USD, rounded half-even to the cent, by price list 2026-10-01 ' +
      '(usage card 2026-10-01).',
  })
  readonly sentence!: string;
}

export class ChargeCorrectionBody implements ChargeCorrection {
  @ApiProperty({ description: 'the number of the correction, unique for the charge', example: 'TICKET-1042' })
  readonly reference!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'the id of the corrected item; null for the whole charge',
    example: 'storage',
  })
  readonly item!: string | null;
  @ApiProperty({ description: 'decimal; negative in favor of the organization', example: '-5.5' })
  readonly amount_usd!: string;
  @ApiProperty({ example: 'The storage was not available on 12 November.' }) readonly reason!: string;
  @ApiProperty({ format: 'date-time' }) readonly corrected_at!: string;
  @ApiProperty({
    description: 'the amount, the corrected charge and the reason',
    example: 'Correction TICKET-1042 of the charge of 2026-11: -5.5 USD. The storage was not available on 12 November.',
  })
  readonly sentence!: string;
}

export class ChargedMonthBody extends ChargeSummaryBody implements ChargedMonth {
  @ApiProperty({ type: [ChargedLineBody] }) readonly lines!: readonly ChargedLineBody[];
  @ApiProperty({ type: [ChargeCorrectionBody], description: 'entries that add to the total' })
  readonly corrections!: readonly ChargeCorrectionBody[];
  @ApiProperty({ description: 'decimal: what the included amount paid', example: '10' }) readonly included_usd!: string;
  @ApiProperty({ description: 'decimal: what the trial paid', example: '0' }) readonly trial_covered_usd!: string;
}
