import { ApiProperty } from '@nestjs/swagger';
import {
  INSTANCE_STATES,
  type InstanceState,
  LOG_STREAMS,
  type LogLine,
  type LogPage,
  type LogStream,
  RUNTIME_STATES,
  type RuntimeDetails,
  type RuntimeInstance,
  type RuntimeLimits,
  type RuntimeState,
} from '@homeport/apps/contracts';

export class RuntimeInstanceBody implements RuntimeInstance {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly deploy_id!: string;
  @ApiProperty({ enum: INSTANCE_STATES }) readonly state!: InstanceState;
  @ApiProperty({ format: 'date-time' }) readonly started_at!: string;
  @ApiProperty({ type: 'integer', minimum: 0 }) readonly memory_bytes!: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'answered requests' }) readonly requests!: number;
}

export class RuntimeLimitsBody implements RuntimeLimits {
  @ApiProperty({ type: 'integer' }) readonly instances!: number;
  @ApiProperty({ type: 'integer', description: 'of one instance; so are the following limits' })
  readonly memory_bytes!: number;
  @ApiProperty() readonly cpus!: number;
  @ApiProperty({ type: 'integer' }) readonly processes!: number;
  @ApiProperty({ type: 'integer' }) readonly tmp_bytes!: number;
  @ApiProperty({ type: 'integer', description: 'requests at the same time' }) readonly concurrency!: number;
  @ApiProperty({ type: 'integer' }) readonly start_seconds!: number;
  @ApiProperty({ type: 'integer' }) readonly first_byte_seconds!: number;
  @ApiProperty({ type: 'integer' }) readonly response_seconds!: number;
  @ApiProperty({ type: 'integer' }) readonly request_bytes!: number;
}

export class RuntimeDetailsBody implements RuntimeDetails {
  @ApiProperty({ enum: RUNTIME_STATES }) readonly state!: RuntimeState;
  @ApiProperty({ type: String, nullable: true, description: 'why the state is `crash-loop`, or why a restart failed' })
  readonly reason!: string | null;
  @ApiProperty({ type: [RuntimeInstanceBody] }) readonly instances!: readonly RuntimeInstanceBody[];
  @ApiProperty() readonly limits!: RuntimeLimitsBody;
}

export class LogLineBody implements LogLine {
  @ApiProperty({ example: '1042' }) readonly id!: string;
  @ApiProperty({ format: 'date-time' }) readonly at!: string;
  @ApiProperty({ enum: LOG_STREAMS }) readonly stream!: LogStream;
  @ApiProperty({ example: 'Listening on port 3000' }) readonly line!: string;
  @ApiProperty({ format: 'uuid' }) readonly deploy_id!: string;
  @ApiProperty({ format: 'uuid' }) readonly instance_id!: string;
}

export class LogPageBody implements LogPage {
  @ApiProperty({ type: [LogLineBody] }) readonly items!: readonly LogLineBody[];
  @ApiProperty({ type: String, nullable: true, description: 'null when there are no later lines yet' })
  readonly next_cursor!: string | null;
}
