import {
  IdempotencyKeys,
  type StoredResponse,
  type KeyState,
  type IdempotentRequest,
} from '../../application/registry/idempotency-keys.port';

interface StoredKey {
  readonly fingerprint: string;
  readonly answer?: StoredResponse;
}

/** Idempotency keys in memory, for tests. They end with the process, so there is no interrupted request to resume. */
export class InMemoryIdempotencyKeys extends IdempotencyKeys {
  readonly #keys = new Map<string, StoredKey>();

  async begin(use: IdempotentRequest): Promise<KeyState> {
    const found = this.#keys.get(nameOf(use));
    if (!found) {
      this.#keys.set(nameOf(use), { fingerprint: use.fingerprint });
      return { kind: 'new' };
    }
    if (found.fingerprint !== use.fingerprint) return { kind: 'mismatch' };
    return found.answer ? { kind: 'answered', answer: found.answer } : { kind: 'running' };
  }

  async finish(use: IdempotentRequest, answer: StoredResponse): Promise<void> {
    if (this.#keys.get(nameOf(use))?.answer) return;
    this.#keys.set(nameOf(use), { fingerprint: use.fingerprint, answer: { status: answer.status, body: answer.body } });
  }

  async release(use: IdempotentRequest): Promise<void> {
    if (!this.#keys.get(nameOf(use))?.answer) this.#keys.delete(nameOf(use));
  }

  async removeExpired(): Promise<void> {
    return Promise.resolve();
  }
}

function nameOf({ organization, key }: IdempotentRequest): string {
  return `${organization}\n${key}`;
}
