import { type AccountPageRequest, AccountRepository } from '../../application/account-repository.port';
import type { Account } from '../../domain/account';

/** The accounts in memory, for tests. */
export class InMemoryAccountRepository extends AccountRepository {
  readonly #accounts = new Map<string, Account>();

  constructor(private readonly now: () => Date = () => new Date()) {
    super();
  }

  async add(organization: string): Promise<Account> {
    const account = this.#accounts.get(organization) ?? { organization, createdAt: this.now() };
    this.#accounts.set(organization, account);
    return account;
  }

  async find(organization: string): Promise<Account | undefined> {
    return this.#accounts.get(organization);
  }

  async list({ after, createdBefore, limit }: AccountPageRequest): Promise<readonly Account[]> {
    return [...this.#accounts.values()]
      .filter(
        ({ organization, createdAt }) => createdAt < createdBefore && (after === undefined || organization > after),
      )
      .sort((one, other) => (one.organization < other.organization ? -1 : 1))
      .slice(0, limit);
  }
}
