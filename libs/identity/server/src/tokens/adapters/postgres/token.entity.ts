import type { Scope } from '@homeport/identity/contracts';
import { EntitySchema } from 'typeorm';
import type { TokenRecord } from '../../domain/token-record';

/** One row of `identity.tokens`. */
export interface TokenRow {
  readonly id: string;
  /** SHA-256 of the secret, so that a stolen table contains no usable token. */
  readonly hash: Buffer;
  readonly kind: TokenRecord['kind'];
  readonly name: string;
  readonly organization: string | null;
  readonly issuer: string;
  readonly subject: string;
  readonly createdBy: string;
  readonly scopes: Scope[];
  readonly appId: string | null;
  readonly prefix: string | null;
  readonly trustId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export const TokenEntity = new EntitySchema<TokenRow>({
  name: 'Token',
  schema: 'identity',
  tableName: 'tokens',
  columns: {
    id: { type: 'uuid', primary: true },
    hash: { type: 'bytea' },
    kind: { type: 'text' },
    name: { type: 'text' },
    organization: { type: 'text', nullable: true },
    issuer: { type: 'text' },
    subject: { type: 'text' },
    createdBy: { name: 'created_by', type: 'text' },
    scopes: { type: 'text', array: true },
    appId: { name: 'app_id', type: 'uuid', nullable: true },
    prefix: { type: 'text', nullable: true },
    trustId: { name: 'trust_id', type: 'uuid', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz', nullable: true },
    lastUsedAt: { name: 'last_used_at', type: 'timestamptz', nullable: true },
  },
});
