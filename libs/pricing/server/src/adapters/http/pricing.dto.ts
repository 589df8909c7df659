import { ApiProperty } from '@nestjs/swagger';
import {
  EstimateRequest,
  type Estimate,
  type EstimateLine,
  type Quantity,
  type Usage,
} from '@homeport/pricing/contracts';

const QUANTITIES = {
  type: 'object' as const,
  additionalProperties: {
    oneOf: [
      { type: 'number', minimum: 0, maximum: 1e12 },
      { type: 'string', pattern: String.raw`^\d+(\.\d{1,6})?$` },
    ],
  },
};

export class EstimateRequestBody extends EstimateRequest {
  @ApiProperty({
    type: 'object',
    properties: { meters: QUANTITIES, boxes: QUANTITIES, domains: QUANTITIES },
    additionalProperties: false,
    example: { meters: { storage: 250, 'gateway-call': 100_000 }, boxes: { small: 1 } },
  })
  declare usage: Usage;

  @ApiProperty({ required: false, default: false })
  declare trial?: boolean;

  @ApiProperty({
    required: false,
    example: '2026-10-01',
    description: 'The version of the statement that the caller uses.',
  })
  declare version?: string;
}

export class EstimateLineBody implements EstimateLine {
  @ApiProperty({ example: 'storage' }) readonly id!: string;
  @ApiProperty({ example: 'Storage' }) readonly label!: string;
  @ApiProperty({ example: 'gb-month' }) readonly unit!: string;
  @ApiProperty({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    description: 'A decimal string when a number would lose digits.',
    example: 250,
  })
  readonly quantity!: Quantity;
  @ApiProperty() readonly unitUsd!: number;
  @ApiProperty({ description: 'Rounded half-even to the cent.' }) readonly amountUsd!: number;
  @ApiProperty({ required: false, enum: [true] }) readonly waived?: true;
}

export class EstimateBody implements Estimate {
  @ApiProperty({ example: '2026-10-01' }) readonly version!: string;
  @ApiProperty({ enum: ['USD'] }) readonly currency!: 'USD';
  @ApiProperty({ type: [EstimateLineBody] }) readonly lines!: readonly EstimateLineBody[];
  @ApiProperty({ description: 'The used part of the included amount.' }) readonly includedUsd!: number;
  @ApiProperty() readonly trialCoveredUsd!: number;
  @ApiProperty({ description: 'The sum of the lines, minus includedUsd and trialCoveredUsd.' })
  readonly totalUsd!: number;
}

export class VersionBody {
  @ApiProperty({ example: '2026-10-01' }) readonly version!: string;
  @ApiProperty({ format: 'date-time' }) readonly effectiveAt!: string;
  @ApiProperty({ example: '/v1/pricing/versions/2026-10-01' }) readonly url!: string;
}

export class VersionListBody {
  @ApiProperty({ type: [VersionBody] }) readonly items!: readonly VersionBody[];
}
