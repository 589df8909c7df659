import {
  IdempotencyKeys,
  type StoredResponse,
  type KeyState,
  type IdempotentRequest,
} from '../../application/registry/idempotency-keys.port';

interface StoredKey {
  readonly fingerprint: string;
  readonly response?: StoredResponse;
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
    return found.response ? { kind: 'completed', response: found.response } : { kind: 'running' };
  }

  async finish(use: IdempotentRequest, response: StoredResponse): Promise<void> {
    if (this.#keys.get(nameOf(use))?.response) return;
    this.#keys.set(nameOf(use), {
      fingerprint: use.fingerprint,
      response: { status: response.status, body: response.body },
    });
  }

  async release(use: IdempotentRequest): Promise<void> {
    if (!this.#keys.get(nameOf(use))?.response) this.#keys.delete(nameOf(use));
  }

  async removeExpired(): Promise<void> {
    return Promise.resolve();
  }
}

function nameOf({ organization, key }: IdempotentRequest): string {
  return `${organization}\n${key}`;
}
