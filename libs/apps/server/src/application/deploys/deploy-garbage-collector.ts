import type { BlobLedger, UnusedBlob } from '../blobs/blob-ledger.port';
import type { BlobStore } from '../blobs/blob-store.port';
import type { DeployRepository, FailedDeployRetention } from './deploy-repository.port';

const BLOBS_PER_BATCH = 500;
const REMOVAL_CONCURRENCY = 8;

export interface DeployGarbageCollectorTools {
  readonly deploys: DeployRepository;
  readonly ledger: BlobLedger;
  readonly blobs: BlobStore;
  /** How many deploys of an app that are ready are kept. */
  readonly retained: number;
}

/** How long failed deploys stay in the history of an app: enough to see what broke, and a bound to what is kept. */
export const FAILED_RETENTION: FailedDeployRetention = { newest: 50, days: 30 };

/** What was cleaned up. */
export interface CleanUpReport {
  readonly archived: number;
  /** Failed deploys that were removed. */
  readonly forgotten: number;
  readonly removed: number;
}

/** Keeps deploys from being stuck, and storage from growing for ever. */
export class DeployGarbageCollector {
  constructor(private readonly tools: DeployGarbageCollectorTools) {}

  /** @returns how many uploads died with their instance. */
  failAbandoned(): Promise<number> {
    return this.tools.deploys.failAbandoned();
  }

  /**
   * Removes deleted deploys, archives old ones, removes failed ones and the bytes that no deploy needs any more. A step
   * that fails does not keep the others from running; the next run repeats it.
   * @throws the first error, after all steps.
   */
  async cleanUp(): Promise<CleanUpReport> {
    const { deploys, retained } = this.tools;
    const failures: unknown[] = [];
    const run = async (step: () => Promise<number>): Promise<number> => {
      try {
        return await step();
      } catch (error) {
        failures.push(error);
        return 0;
      }
    };
    await run(() => deploys.removeDeleted());
    const archived = await run(() => deploys.archiveBeyond(retained));
    const forgotten = await run(() => deploys.removeFailed(FAILED_RETENTION));
    const removed = await run(() => this.#removeUnused());
    if (failures.length > 0) throw failures[0];
    return { archived, forgotten, removed };
  }

  /** @returns how many blobs. */
  async #removeUnused(): Promise<number> {
    let removed = 0;
    for (;;) {
      const unused = await this.tools.ledger.takeUnused(BLOBS_PER_BATCH);
      if (unused.length === 0) return removed;
      const { gone, failure } = await this.#remove(unused);
      removed += gone;
      // What cannot be removed is taken again with each round, until there is nothing else.
      if (gone === 0) throw failure;
    }
  }

  /** They are forgotten only when they are gone: until then nobody else would know of them. */
  async #remove(unused: readonly UnusedBlob[]): Promise<{ readonly gone: number; readonly failure: unknown }> {
    const left = [...unused];
    const gone: UnusedBlob[] = [];
    let failure: unknown;
    const work = async () => {
      for (let blob = left.pop(); blob; blob = left.pop()) {
        try {
          await this.tools.blobs.remove(blob.key);
          gone.push(blob);
        } catch (error) {
          failure ??= error;
        }
      }
    };
    await Promise.all(Array.from({ length: REMOVAL_CONCURRENCY }, work));
    await this.tools.ledger.forget(gone);
    return { gone: gone.length, failure };
  }
}
