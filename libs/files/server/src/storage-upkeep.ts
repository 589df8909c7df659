import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ObjectStore } from './application/object-store.port';
import { StorageUnsafe } from './domain/files.errors';

const HOUR_MS = 60 * 60 * 1_000;
/** Longer than any upload takes. */
const LEFTOVER_AGE_MS = 24 * HOUR_MS;

/** What the storage needs besides being read and written: a look at its promises at the start, and tidying up. */
export class StorageUpkeep implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('storage');
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly objects: ObjectStore) {}

  /** @throws {StorageUnsafe} which keeps the product from starting. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      for (const shortfall of await this.objects.examine()) this.#log.warn(`The storage ${shortfall}.`);
    } catch (error) {
      if (error instanceof StorageUnsafe) throw error;
      this.#log.warn(`The storage could not be examined; the first write does it. ${String(error)}`);
    }
    void this.#tidyUp();
    this.#timer = setInterval(() => void this.#tidyUp(), HOUR_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #tidyUp(): Promise<void> {
    try {
      const removed = await this.objects.removeLeftovers(new Date(Date.now() - LEFTOVER_AGE_MS));
      if (removed > 0) this.#log.log(`${removed} uploads that never came to an end were taken back.`);
    } catch (error) {
      this.#log.warn(`Unfinished uploads could not be taken back this time. ${String(error)}`);
    }
  }
}
