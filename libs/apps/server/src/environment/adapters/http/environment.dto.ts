import { ApiProperty } from '@nestjs/swagger';
import {
  type EnvironmentVariable,
  type EnvironmentVariableList,
  MAX_ENVIRONMENT_BYTES,
  SetVariable,
  VARIABLE_SCOPES,
  type VariableScope,
} from '@homeport/apps/contracts';

export class EnvironmentVariableBody implements EnvironmentVariable {
  @ApiProperty({ pattern: '^[A-Z_][A-Z0-9_]{0,127}$', example: 'DATABASE_URL' }) readonly name!: string;
  @ApiProperty({ enum: VARIABLE_SCOPES }) readonly scope!: VariableScope;
  @ApiProperty({ format: 'date-time' }) readonly updated_at!: string;
  @ApiProperty({ example: 'Ada Lovelace' }) readonly updated_by!: string;
}

export class EnvironmentVariableListBody implements EnvironmentVariableList {
  @ApiProperty({ type: [EnvironmentVariableBody] }) readonly items!: readonly EnvironmentVariableBody[];
}

export class SetVariableBody extends SetVariable {
  @ApiProperty({
    maxLength: MAX_ENVIRONMENT_BYTES,
    description: 'stored encrypted; no call returns it',
    example: 'postgres://db.example.com/shop',
  })
  declare value: string;

  @ApiProperty({ enum: VARIABLE_SCOPES, default: 'all', required: false })
  declare scope?: VariableScope;
}
