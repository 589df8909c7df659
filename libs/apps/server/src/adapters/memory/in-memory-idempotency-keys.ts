import {
  IdempotencyKeys,
  type KeptAnswer,
  type KeyState,
  type KeyUse,
} from '../../application/registry/idempotency-keys.port';

interface KeptKey {
  readonly fingerprint: string;
  readonly answer?: KeptAnswer;
}

/** The keys in memory, for tests and for trying modules out. No process outlives them, so that none is left half-way. */
export class InMemoryIdempotencyKeys extends IdempotencyKeys {
  readonly #keys = new Map<string, KeptKey>();

  async begin(use: KeyUse): Promise<KeyState> {
    const found = this.#keys.get(nameOf(use));
    if (!found) {
      this.#keys.set(nameOf(use), { fingerprint: use.fingerprint });
      return { kind: 'new' };
    }
    if (found.fingerprint !== use.fingerprint) return { kind: 'mismatch' };
    return found.answer ? { kind: 'answered', answer: found.answer } : { kind: 'running' };
  }

  async finish(use: KeyUse, answer: KeptAnswer): Promise<void> {
    if (this.#keys.get(nameOf(use))?.answer) return;
    this.#keys.set(nameOf(use), { fingerprint: use.fingerprint, answer: { status: answer.status, body: answer.body } });
  }

  async release(use: KeyUse): Promise<void> {
    if (!this.#keys.get(nameOf(use))?.answer) this.#keys.delete(nameOf(use));
  }

  async removeExpired(): Promise<void> {
    return Promise.resolve();
  }
}

function nameOf({ organization, key }: KeyUse): string {
  return `${organization}\n${key}`;
}
