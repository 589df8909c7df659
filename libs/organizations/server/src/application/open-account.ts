import { DatabaseUnavailable } from '@homeport/kernel';
import { LRUCache } from 'lru-cache';
import type { AccountRepository } from './account-repository.port';

/** The organizations whose accounts are known to exist; others cost one query each. */
const MAX_KNOWN = 10_000;

/** Creates the account of an organization at its first call. */
export class OpenAccount {
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN });

  /** @param reportDefect called with errors other than an unavailable database, which reports its own outages. */
  constructor(
    private readonly accounts: AccountRepository,
    private readonly reportDefect: (error: unknown) => void,
  ) {}

  /** Never rejects: the call of the organization does not depend on its account. The next call tries again. */
  async execute(organization: string): Promise<void> {
    if (this.#known.has(organization)) return;
    this.#known.set(organization, true);
    try {
      await this.accounts.add(organization);
    } catch (error) {
      this.#known.delete(organization);
      if (!(error instanceof DatabaseUnavailable)) this.reportDefect(error);
    }
  }
}
