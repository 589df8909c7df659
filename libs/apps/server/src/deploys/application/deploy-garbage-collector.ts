import { Semaphore } from '@homeport/kernel';
import type { BlobLedger, UnusedBlob } from '../../blobs/application/blob-ledger.port';
import type { BlobStore } from '@homeport/platform/server/blobs';
import type { DeployRepository, FailedDeployRetention } from './deploy-repository.port';
import type { ManifestRepository } from './manifest-repository.port';

const BLOBS_PER_BATCH = 500;
const REMOVAL_CONCURRENCY = 8;

export interface DeployGarbageCollectorDependencies {
  readonly deploys: DeployRepository;
  readonly manifests: ManifestRepository;
  readonly ledger: BlobLedger;
  readonly blobs: BlobStore;
  /** How many ready deploys of an app are kept. */
  readonly retained: number;
}

/** Which failed deploys stay in the history of an app: enough to find a cause, but a bounded number. */
export const FAILED_RETENTION: FailedDeployRetention = { newest: 50, days: 30 };

/** The numbers of archived deploys, removed failed deploys and removed blobs. */
export interface CleanUpReport {
  readonly archived: number;
  /** Removed failed deploys. */
  readonly forgotten: number;
  readonly removed: number;
}

/** Fails abandoned uploads, archives old deploys, and removes deleted and failed deploys and unused blobs. */
export class DeployGarbageCollector {
  constructor(private readonly dependencies: DeployGarbageCollectorDependencies) {}

  /** Marks uploads as failed when their lease has expired. @returns the number of uploads. */
  failAbandoned(): Promise<number> {
    return this.dependencies.deploys.failAbandoned();
  }

  /**
   * Removes deleted deploys, archives old ones, and removes failed ones and unused blobs. When a step fails, the
   * others still run; the next run repeats the failed step.
   * @throws the first error, after all steps.
   */
  async cleanUp(): Promise<CleanUpReport> {
    const { deploys, manifests, retained } = this.dependencies;
    const failures: unknown[] = [];
    const run = async (step: () => Promise<number>): Promise<number> => {
      try {
        return await step();
      } catch (error) {
        failures.push(error);
        return 0;
      }
    };
    await run(() => manifests.removeEnded());
    await run(() => deploys.removeDeleted());
    const archived = await run(() => deploys.archiveBeyond(retained));
    const forgotten = await run(() => deploys.removeFailed(FAILED_RETENTION));
    const removed = await run(() => this.#removeUnused());
    if (failures.length > 0) throw failures[0];
    return { archived, forgotten, removed };
  }

  /** @returns the number of removed blobs. */
  async #removeUnused(): Promise<number> {
    let removed = 0;
    for (;;) {
      const unused = await this.dependencies.ledger.claimUnused(BLOBS_PER_BATCH);
      if (unused.length === 0) return removed;
      const { count, failure } = await this.#remove(unused);
      removed += count;
      // Blobs that cannot be removed are returned in each round. Stop when a round removes nothing.
      if (count === 0) throw failure;
    }
  }

  /** Removes the bytes before the ledger entries, which are the only reference to them. */
  async #remove(unused: readonly UnusedBlob[]): Promise<{ readonly count: number; readonly failure: unknown }> {
    const slots = new Semaphore({ permits: REMOVAL_CONCURRENCY });
    const removed: UnusedBlob[] = [];
    let failure: unknown;
    const remove = async (blob: UnusedBlob) => {
      try {
        await this.dependencies.blobs.remove(blob.key);
        removed.push(blob);
      } catch (error) {
        failure ??= error;
      }
    };
    await Promise.all(unused.map((blob) => slots.run(() => remove(blob))));
    await this.dependencies.ledger.deleteEntries(removed);
    return { count: removed.length, failure };
  }
}
