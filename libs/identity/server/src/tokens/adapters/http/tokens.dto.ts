import { ApiProperty } from '@nestjs/swagger';
import {
  type ApiToken,
  type ApiTokenList,
  type CreatedApiToken,
  ORGANIZATION_SCOPES,
  PERSONAL_SCOPES,
  type Scope,
} from '@homeport/identity/contracts';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsISO8601,
  IsOptional,
  IsRFC3339,
  IsString,
  IsUUID,
  Matches,
} from 'class-validator';
import type { NewToken } from '../../application/create-token';

const SCOPES = [...ORGANIZATION_SCOPES, ...PERSONAL_SCOPES];
const EXPIRES_AT = { type: String, format: 'date-time', nullable: true, required: false } as const;

class TokenRequestBody {
  @ApiProperty({ minLength: 1, maxLength: 100, example: 'Nightly deploys' })
  @IsString()
  // Half a surrogate pair cannot be stored as JSON.
  @Matches(/^(?=.*\S)[^\p{Cc}\p{Cs}]{1,100}$/u, { message: 'name must have 1 to 100 characters' })
  readonly name!: string;

  @ApiProperty({ ...EXPIRES_AT, description: 'Null or absent: the token does not expire' })
  @IsOptional()
  // `IsRFC3339` permits days and seconds that no calendar has.
  @IsRFC3339()
  @IsISO8601({ strict: true })
  readonly expires_at?: string | null;
}

export class OrganizationTokenRequestBody extends TokenRequestBody {
  @ApiProperty({ enum: ORGANIZATION_SCOPES, isArray: true, minItems: 1, example: ['apps:read', 'deploys:write'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ORGANIZATION_SCOPES.length)
  @IsIn(ORGANIZATION_SCOPES, { each: true })
  readonly scopes!: Scope[];

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    required: false,
    description: 'The only app that the token may use; null or absent for all apps',
  })
  @IsOptional()
  @IsUUID()
  readonly app_id?: string | null;
}

export class PersonalTokenRequestBody extends TokenRequestBody {
  @ApiProperty({ enum: PERSONAL_SCOPES, isArray: true, minItems: 1, example: ['files:read'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(PERSONAL_SCOPES.length)
  @IsIn(PERSONAL_SCOPES, { each: true })
  readonly scopes!: Scope[];

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    maxLength: 1_024,
    example: 'reports/2026/',
    description: 'The folder that the token may use; null, absent or empty for the whole workspace',
  })
  @IsOptional()
  @IsString()
  readonly prefix?: string | null;
}

export function toNewToken(body: OrganizationTokenRequestBody | PersonalTokenRequestBody): NewToken {
  return {
    name: body.name,
    scopes: body.scopes,
    appId: ('app_id' in body ? body.app_id : undefined) ?? undefined,
    prefix: ('prefix' in body ? body.prefix : undefined) ?? undefined,
    expiresAt: body.expires_at ? new Date(body.expires_at) : undefined,
  };
}

export class ApiTokenBody implements ApiToken {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ example: 'Nightly deploys' }) readonly name!: string;
  @ApiProperty({ enum: ['organization', 'personal'] }) readonly kind!: ApiToken['kind'];
  @ApiProperty({ enum: SCOPES, isArray: true, example: ['apps:read', 'deploys:write'] }) readonly scopes!: Scope[];
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Null: all apps of the organization' })
  readonly app_id!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The folder of a personal token; null: the whole workspace',
  })
  readonly prefix!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null: does not expire' })
  readonly expires_at!: string | null;
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
  @ApiProperty({ example: 'Ada Lovelace' }) readonly created_by!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Exact to one minute' })
  readonly last_used_at!: string | null;
}

export class CreatedApiTokenBody extends ApiTokenBody implements CreatedApiToken {
  @ApiProperty({
    description: 'The secret. It is not stored and is shown only in this answer.',
    pattern: '^hp_[0-9A-Za-z]{40}$',
    example: 'hp_'.padEnd(43, '0'),
  })
  readonly token!: string;
}

export class ApiTokenListBody implements ApiTokenList {
  @ApiProperty({ type: [ApiTokenBody] }) readonly items!: readonly ApiTokenBody[];
  @ApiProperty({ type: String, nullable: true, description: 'Always null: one page holds all tokens' })
  readonly next_cursor!: string | null;
}
