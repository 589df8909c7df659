import {
  type AuditRecorder,
  type IdentityEvent,
  type IdentityRepositories,
  IdentityUnitOfWork,
} from '../../tokens/application/identity-unit-of-work.port';
import { InMemoryTokenRepository } from '../../tokens/adapters/memory/in-memory-token-repository';
import type { TokenRecord } from '../../tokens/domain/token-record';
import { InMemoryTrustRepository } from '../../trusts/adapters/memory/in-memory-trust-repository';
import type { ExchangedSubjectToken } from '../../trusts/domain/exchanged-subject-token';
import type { TrustRecord } from '../../trusts/domain/trust-record';

/** The unit of work of tokens and trusts in memory, for tests. */
export class InMemoryIdentityUnitOfWork extends IdentityUnitOfWork {
  readonly #tokens = new Map<string, TokenRecord>();
  readonly #trusts = new Map<string, TrustRecord>();
  readonly #exchanged = new Map<string, ExchangedSubjectToken>();
  readonly tokens = new InMemoryTokenRepository(this.#tokens);
  readonly trusts = new InMemoryTrustRepository(this.#trusts, this.#exchanged);
  readonly events: IdentityEvent[] = [];

  async run<T>(work: (repositories: IdentityRepositories) => Promise<T>): Promise<T> {
    const [tokens, trusts, exchanged] = [new Map(this.#tokens), new Map(this.#trusts), new Map(this.#exchanged)];
    const events = [...this.events];
    const audit: AuditRecorder = { record: async (event) => void this.events.push(event) };
    try {
      return await work({ tokens: this.tokens, trusts: this.trusts, audit });
    } catch (error) {
      restore(this.#tokens, tokens);
      restore(this.#trusts, trusts);
      restore(this.#exchanged, exchanged);
      this.events.splice(0, this.events.length, ...events);
      throw error;
    }
  }
}

function restore<T>(map: Map<string, T>, before: ReadonlyMap<string, T>): void {
  map.clear();
  for (const [id, value] of before) map.set(id, value);
}
