import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { ObjectStore } from './application/object-store.port';
import { StorageIncompatible } from './domain/files.errors';

const HOUR_MS = 60 * 60 * 1_000;
/** Longer than any upload takes. */
const INCOMPLETE_UPLOAD_AGE_MS = 24 * HOUR_MS;

/** Checks the storage's compatibility on startup and aborts incomplete uploads every hour. */
export class StorageMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('storage');
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly objects: ObjectStore) {}

  /** @throws {StorageIncompatible} which prevents the application from starting. */
  async onApplicationBootstrap(): Promise<void> {
    try {
      for (const limitation of await this.objects.checkCompatibility()) this.#log.warn(`The storage ${limitation}.`);
    } catch (error) {
      if (error instanceof StorageIncompatible) throw error;
      this.#log.warn(`The storage could not be checked. The first write checks it again. ${String(error)}`);
    }
    void this.#cleanUp();
    this.#timer = setInterval(() => void this.#cleanUp(), HOUR_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #cleanUp(): Promise<void> {
    try {
      const aborted = await this.objects.abortIncompleteUploads(new Date(Date.now() - INCOMPLETE_UPLOAD_AGE_MS));
      if (aborted > 0) this.#log.log(`${aborted} incomplete uploads were aborted.`);
    } catch (error) {
      this.#log.warn(`Incomplete uploads could not be aborted. The next attempt is in an hour. ${String(error)}`);
    }
  }
}
