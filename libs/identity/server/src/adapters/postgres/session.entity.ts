import { EntitySchema } from 'typeorm';
import type { SignedInPerson } from '../../application/identity-provider.port';

/** One row of `identity.sessions`. */
export interface SessionRow {
  /** SHA-256 of the session id, so that a stolen table opens no session. */
  readonly idHash: Buffer;
  readonly person: SignedInPerson;
  /** The person's `sub`; a generated column. */
  readonly subject?: string;
  readonly device: string;
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  readonly refreshToken: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** Set while one instance renews the tokens. */
  readonly renewalUntil: Date | null;
}

export const SessionEntity = new EntitySchema<SessionRow>({
  name: 'Session',
  schema: 'identity',
  tableName: 'sessions',
  columns: {
    idHash: { name: 'id_hash', type: 'bytea', primary: true },
    person: { type: 'jsonb' },
    subject: { type: 'text', insert: false, update: false },
    device: { type: 'text' },
    accessToken: { name: 'access_token', type: 'text' },
    accessExpiresAt: { name: 'access_expires_at', type: 'timestamptz' },
    refreshToken: { name: 'refresh_token', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    lastUsedAt: { name: 'last_used_at', type: 'timestamptz' },
    renewalUntil: { name: 'renewal_until', type: 'timestamptz', nullable: true },
  },
});
