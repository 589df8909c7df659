import { EntitySchema } from 'typeorm';
import type { SessionUser } from '@homeport/identity/contracts';

/** One row of `identity.sessions`. */
export interface SessionRow {
  /** SHA-256 of the session id: a stolen table opens no session. */
  readonly idHash: Buffer;
  readonly person: SessionUser;
  readonly accessToken: string;
  readonly accessExpiresAt: Date;
  readonly refreshToken: string | null;
  readonly createdAt: Date;
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
    accessToken: { name: 'access_token', type: 'text' },
    accessExpiresAt: { name: 'access_expires_at', type: 'timestamptz' },
    refreshToken: { name: 'refresh_token', type: 'text', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    renewalUntil: { name: 'renewal_until', type: 'timestamptz', nullable: true },
  },
});
