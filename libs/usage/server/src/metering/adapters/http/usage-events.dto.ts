import { ApiProperty } from '@nestjs/swagger';
import type { ReportedUsage } from '@homeport/usage/contracts';

export class ReportedUsageBody implements ReportedUsage {
  @ApiProperty({ example: 2 }) readonly accepted!: number;
  @ApiProperty({ description: 'events that were reported before', example: 0 }) readonly duplicates!: number;
}
