import { ApiProperty } from '@nestjs/swagger';
import type {
  AccountTrial,
  DailyQuantity,
  DailyUsage,
  LegacyPlans,
  StatementReference,
  UsageLine,
  UsageMonth,
} from '@homeport/usage/contracts';

const AMOUNT = { type: String, description: 'decimal', example: '12.34' } as const;
const QUANTITY = { type: String, description: 'decimal with at most 6 places', example: '31250' } as const;
export const PERIOD = { type: String, example: '2026-11' } as const;

export class AccountTrialBody implements AccountTrial {
  @ApiProperty({ format: 'date-time', description: 'the start of the first hour that the trial does not cover' })
  readonly ends_at!: string;
  @ApiProperty({ ...AMOUNT, example: '500' }) readonly cap_usd!: string;
  @ApiProperty({ ...AMOUNT, description: 'what the trial has covered until the end of the month' })
  readonly covered_usd!: string;
}

export class LegacyPlansBody implements LegacyPlans {
  @ApiProperty({ type: [String], description: 'the plans that accounts of its age could choose', example: ['Starter'] })
  readonly plans!: readonly string[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'the sentence of the statement about the price that such accounts keep',
    example: 'Companies on the earlier workforce price keep it for as long as they stay subscribed.',
  })
  readonly rule!: string | null;
}

class UsageAccountBody {
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'the version of the usage card; null for an account with a legacy plan',
    example: '2026-10-01',
  })
  readonly card!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'decimal: how much metered usage is included each month; null for an account with a legacy plan',
    example: '10',
  })
  readonly monthly_included_usd!: string | null;
  @ApiProperty({
    type: LegacyPlansBody,
    nullable: true,
    description: 'null for an account with a usage card. Other plans are not supported: Homeport does not charge them',
  })
  readonly legacy_plans!: LegacyPlansBody | null;
  @ApiProperty({
    type: AccountTrialBody,
    nullable: true,
    description: 'null when no hour of the month is in the trial',
  })
  readonly trial!: AccountTrialBody | null;
}

export class StatementReferenceBody implements StatementReference {
  @ApiProperty({ example: '2026-10-01' }) readonly version!: string;
  @ApiProperty({
    description: 'hexadecimal, of the bytes at `/v1/pricing/versions/{version}`',
    example: '0e1af31a0b0b2f3fceca22f306674f75b1d3464cc5a60b9c487a295856253348',
  })
  readonly sha256!: string;
}

export class UsageLineBody implements UsageLine {
  @ApiProperty({ description: 'the id of an item of the usage card', example: 'gateway-call' }) readonly item!: string;
  @ApiProperty({ example: 'Gateway call' }) readonly label!: string;
  @ApiProperty({ example: 'call' }) readonly unit!: string;
  @ApiProperty(QUANTITY) readonly quantity!: string;
  @ApiProperty({ ...AMOUNT, example: '0.0004' }) readonly unit_usd!: string;
  @ApiProperty({ ...AMOUNT, example: '12.5' }) readonly amount_usd!: string;
  @ApiProperty({ description: 'whether the trial waives the item' }) readonly waived!: boolean;
  @ApiProperty({ description: 'whether the quantity was used in the trial; the month in which it ends has both' })
  readonly in_trial!: boolean;
  @ApiProperty({
    ...QUANTITY,
    description: 'the part of earlier months: reported after their charge, or used before the account existed',
    example: '0',
  })
  readonly late_quantity!: string;
}

export class UsageMonthBody implements UsageMonth {
  @ApiProperty(PERIOD) readonly period!: string;
  @ApiProperty({
    format: 'date-time',
    description:
      'usage until this instant is included; calls of the last ten seconds and levels of this hour can be missing',
  })
  readonly as_of!: string;
  @ApiProperty({
    enum: ['on', 'off'],
    description: '`off` while the operator has turned metering off: Homeport measures no usage and charges no month',
    example: 'on',
  })
  readonly metering!: 'on' | 'off';
  @ApiProperty({ type: UsageAccountBody }) readonly account!: UsageAccountBody;
  @ApiProperty({ type: [UsageLineBody] }) readonly lines!: readonly UsageLineBody[];
  @ApiProperty({ ...AMOUNT, description: 'what the included amount pays', example: '10' })
  readonly included_usd!: string;
  @ApiProperty({ ...AMOUNT, description: 'what the trial pays', example: '2.5' }) readonly trial_covered_usd!: string;
  @ApiProperty({ ...AMOUNT, example: '0' }) readonly total_usd!: string;
  @ApiProperty({
    ...AMOUNT,
    description: 'the total at the end of the month at its average rate so far',
    example: '0',
  })
  readonly projected_total_usd!: string;
  @ApiProperty({ type: StatementReferenceBody }) readonly statement!: StatementReferenceBody;
}

export class DailyQuantityBody implements DailyQuantity {
  @ApiProperty({ format: 'date', description: 'in UTC', example: '2026-11-27' }) readonly day!: string;
  @ApiProperty(QUANTITY) readonly quantity!: string;
}

export class DailyUsageBody implements DailyUsage {
  @ApiProperty({ type: [DailyQuantityBody], description: 'days with usage, in order' })
  readonly items!: readonly DailyQuantityBody[];
}
