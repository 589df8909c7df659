import type { Account } from '../domain/account';

/** Stores the accounts of organizations. Every method can reject with DatabaseUnavailable. */
export abstract class AccountRepository {
  /** Creates the account, unless it exists. May be repeated, also concurrently. @returns the stored account. */
  abstract add(organization: string): Promise<Account>;

  /** @returns undefined for an organization that made no call yet. */
  abstract find(organization: string): Promise<Account | undefined>;
}
