import { EntitySchema } from 'typeorm';
import type { Account } from '../../domain/account';

/** The rows of `organizations.accounts`. */
export const AccountEntity = new EntitySchema<Account>({
  name: 'Account',
  schema: 'organizations',
  tableName: 'accounts',
  columns: {
    organization: { type: 'text', primary: true },
    createdAt: { name: 'created_at', type: 'timestamptz', insert: false, update: false },
  },
});
