import type { Account } from '../domain/account';

export interface AccountPageRequest {
  /** The organization after which the page starts; undefined for the first page. */
  readonly after: string | undefined;
  /** Accounts that were created before this instant. */
  readonly createdBefore: Date;
  readonly limit: number;
}

/** Stores the accounts of organizations. Every method can reject with DatabaseUnavailable. */
export abstract class AccountRepository {
  /** Creates the account, unless it exists. May be repeated, also concurrently. @returns the stored account. */
  abstract add(organization: string): Promise<Account>;

  /** @returns undefined for an organization that made no call yet. */
  abstract find(organization: string): Promise<Account | undefined>;

  /** A page of accounts, sorted by organization. */
  abstract list(request: AccountPageRequest): Promise<readonly Account[]>;
}
