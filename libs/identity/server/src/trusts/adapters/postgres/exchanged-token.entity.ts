import { EntitySchema } from 'typeorm';
import type { ExchangedSubjectToken } from '../../domain/exchanged-subject-token';

/** `identity.exchanged_tokens`. */
export const ExchangedTokenEntity = new EntitySchema<ExchangedSubjectToken>({
  name: 'ExchangedToken',
  schema: 'identity',
  tableName: 'exchanged_tokens',
  columns: {
    digest: { type: 'bytea', primary: true },
    appId: { name: 'app_id', type: 'uuid', primary: true },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
  },
});
