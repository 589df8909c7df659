import { ApiProperty } from '@nestjs/swagger';
import {
  type ExchangedToken,
  ORGANIZATION_SCOPES,
  type Scope,
  type Trust,
  type TrustList,
} from '@homeport/identity/contracts';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsObject, IsString } from 'class-validator';

const CLAIMS = {
  type: 'object',
  additionalProperties: { type: 'string' },
  example: { repository: 'acme/shop', ref: 'refs/heads/main' },
} as const;
const ISSUER = { example: 'github', description: '`github`, `gitlab`, or the https URL of an issuer' } as const;

export class TrustRequestBody {
  @ApiProperty(ISSUER)
  @IsString()
  readonly issuer!: string;

  @ApiProperty({
    ...CLAIMS,
    description: 'The claims that the token of a pipeline must have. A value may end with `*`, which matches any rest.',
  })
  @IsObject()
  readonly claims!: Record<string, string>;

  @ApiProperty({ enum: ORGANIZATION_SCOPES, isArray: true, minItems: 1, example: ['deploys:write'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ORGANIZATION_SCOPES.length)
  @IsIn(ORGANIZATION_SCOPES, { each: true })
  readonly scopes!: Scope[];
}

export class TrustBody implements Trust {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly app_id!: string;
  @ApiProperty(ISSUER) readonly issuer!: string;
  @ApiProperty(CLAIMS) readonly claims!: Record<string, string>;
  @ApiProperty({ enum: ORGANIZATION_SCOPES, isArray: true, example: ['deploys:write'] }) readonly scopes!: Scope[];
  @ApiProperty({ format: 'date-time' }) readonly created_at!: string;
  @ApiProperty({ example: 'Ada Lovelace' }) readonly created_by!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a pipeline last received an access token',
  })
  readonly last_used_at!: string | null;
}

export class TrustListBody implements TrustList {
  @ApiProperty({ type: [TrustBody] }) readonly items!: readonly TrustBody[];
  @ApiProperty({ type: String, nullable: true, description: 'Always null: one page holds all trusts' })
  readonly next_cursor!: string | null;
}

export class ExchangedTokenBody implements ExchangedToken {
  @ApiProperty({ pattern: '^hp_[0-9A-Za-z]{40}$', example: 'hp_'.padEnd(43, '0') }) readonly access_token!: string;
  @ApiProperty({ enum: ['urn:ietf:params:oauth:token-type:access_token'] }) readonly issued_token_type!: string;
  @ApiProperty({ enum: ['Bearer'] }) readonly token_type!: 'Bearer';
  @ApiProperty({ type: 'integer', description: 'Seconds', example: 900 }) readonly expires_in!: number;
  @ApiProperty({ example: 'apps:read deploys:write' }) readonly scope!: string;
}

export class ExchangeErrorBody {
  @ApiProperty({ enum: ['invalid_request', 'invalid_scope', 'unsupported_grant_type'] })
  readonly error!: string;
  @ApiProperty({ example: 'No trust of the app admits this token.' }) readonly error_description!: string;
}
