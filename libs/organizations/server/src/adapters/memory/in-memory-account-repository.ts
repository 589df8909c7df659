import { AccountRepository } from '../../application/account-repository.port';
import type { Account } from '../../domain/account';

/** The accounts in memory, for tests. */
export class InMemoryAccountRepository extends AccountRepository {
  readonly #accounts = new Map<string, Account>();

  async add(organization: string): Promise<Account> {
    const account = this.#accounts.get(organization) ?? { organization, createdAt: new Date() };
    this.#accounts.set(organization, account);
    return account;
  }

  async find(organization: string): Promise<Account | undefined> {
    return this.#accounts.get(organization);
  }
}
