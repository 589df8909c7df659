import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ObjectStore } from './application/object-store.port';
import { StorageIncompatible } from './domain/files.errors';

const HOUR_MS = 60 * 60 * 1_000;
/** Longer than any upload takes. */
const INCOMPLETE_UPLOAD_AGE_MS = 24 * HOUR_MS;

/** What the storage needs besides being read and written: a look at its promises at the start, and tidying up. */
export class StorageMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('storage');
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly objects: ObjectStore) {}

  /** @throws {StorageIncompatible} which keeps the product from starting. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      for (const shortfall of await this.objects.checkCompatibility()) this.#log.warn(`The storage ${shortfall}.`);
    } catch (error) {
      if (error instanceof StorageIncompatible) throw error;
      this.#log.warn(`The storage could not be examined; the first write does it. ${String(error)}`);
    }
    void this.#cleanUp();
    this.#timer = setInterval(() => void this.#cleanUp(), HOUR_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #cleanUp(): Promise<void> {
    try {
      const removed = await this.objects.abortIncompleteUploads(new Date(Date.now() - INCOMPLETE_UPLOAD_AGE_MS));
      if (removed > 0) this.#log.log(`${removed} uploads that never came to an end were taken back.`);
    } catch (error) {
      this.#log.warn(`Unfinished uploads could not be taken back this time. ${String(error)}`);
    }
  }
}
