import type { AccountRepository } from '@homeport/organizations/server';
import { billedAccount, type BilledAccount } from '../domain/billed-account';
import type { PriceList } from './price-list.port';

export interface AccountPage {
  /** The organization after which the page starts; undefined for the first page. */
  readonly after: string | undefined;
  /** Accounts that were created before this instant. */
  readonly createdBefore: Date;
  readonly limit: number;
}

/** The accounts of organizations with the prices that they pay. */
export class Accounts {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly prices: PriceList,
  ) {}

  /** Creates the account at the first call of its organization. @throws {CatalogUnavailable} */
  async getOrCreate(organization: string): Promise<BilledAccount> {
    const [account, prices] = await Promise.all([
      this.accounts.find(organization).then((found) => found ?? this.accounts.add(organization)),
      this.prices.current(),
    ]);
    return billedAccount(account, prices);
  }

  /** Sorted by organization. @throws {CatalogUnavailable} */
  async page(page: AccountPage): Promise<readonly BilledAccount[]> {
    const [accounts, prices] = await Promise.all([this.accounts.list(page), this.prices.current()]);
    return accounts.map((account) => billedAccount(account, prices));
  }
}
