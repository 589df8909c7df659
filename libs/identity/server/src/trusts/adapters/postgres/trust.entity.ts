import type { Scope } from '@homeport/identity/contracts';
import { EntitySchema } from 'typeorm';

/** One row of `identity.trusts`. */
export interface TrustRow {
  readonly id: string;
  readonly organization: string;
  readonly appId: string;
  readonly issuer: string;
  readonly claims: Record<string, string>;
  readonly scopes: Scope[];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export const TrustEntity = new EntitySchema<TrustRow>({
  name: 'Trust',
  schema: 'identity',
  tableName: 'trusts',
  columns: {
    id: { type: 'uuid', primary: true },
    organization: { type: 'text' },
    appId: { name: 'app_id', type: 'uuid' },
    issuer: { type: 'text' },
    claims: { type: 'jsonb' },
    scopes: { type: 'text', array: true },
    createdBy: { name: 'created_by', type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    lastUsedAt: { name: 'last_used_at', type: 'timestamptz', nullable: true },
  },
});
