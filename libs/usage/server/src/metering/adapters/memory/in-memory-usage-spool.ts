import { UsageSpool } from '../../application/usage-spool.port';
import type { UsageBatch } from '../../domain/counted-use';

/** Keeps batches in memory, for tests. */
export class InMemoryUsageSpool extends UsageSpool {
  readonly #batches = new Map<string, UsageBatch>();

  async open(): Promise<void> {
    return Promise.resolve();
  }

  async add(batch: UsageBatch): Promise<void> {
    this.#batches.set(batch.name, batch);
  }

  async names(): Promise<readonly string[]> {
    return [...this.#batches.keys()].sort();
  }

  async read(name: string): Promise<UsageBatch | undefined> {
    return this.#batches.get(name);
  }

  async remove(name: string): Promise<void> {
    this.#batches.delete(name);
  }
}
