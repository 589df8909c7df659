import type { BlobKey, BlobStore } from '@homeport/platform/server/blobs';
import type { DnsDriftDetector } from '../../dns/application/dns-drift-detector';
import type { BlobComparison } from './blob-comparison';
import type { RecordedState } from './recorded-state.port';

export interface RepairConsistencyDependencies {
  readonly comparison: BlobComparison;
  readonly records: RecordedState;
  readonly blobs: BlobStore;
  readonly drift: Pick<DnsDriftDetector, 'run'>;
}

export interface RepairReport {
  /** DNS records that the API restores and removes within a minute. */
  readonly restoredRecords: number;
  readonly removedRecords: number;
  /** Blobs that the next deploy with their content uploads. */
  readonly missingBlobs: number;
  /** Lost blobs that are in the storage again: of a backup, or because S3_BUCKET was wrong in an earlier repair. */
  readonly foundBlobs: number;
  readonly removedBlobs: number;
  /** What was kept because there is too much of it: the database may be another installation's. */
  readonly keptRecords: number;
  readonly keptBlobs: number;
}

/** With fewer unknown blobs the share is not checked. */
const MIN_BLOBS_FOR_LIMIT = 100;
/** A larger share of unknown blobs is not removed. */
const MAX_UNKNOWN_SHARE = 0.3;

/** Repairs what needs no backup: DNS records, blobs that are left over, and the memory of blobs that are lost. */
export class RepairConsistency {
  constructor(private readonly dependencies: RepairConsistencyDependencies) {}

  /** @throws {Error} when the database, the storage or the zone is unavailable. Repeating is safe. */
  async execute(signal: AbortSignal): Promise<RepairReport> {
    const { drifted, orphaned, isRemovalHalted } = await this.dependencies.drift.run();
    const found: string[] = [];
    for await (const blobId of this.dependencies.comparison.found(signal)) found.push(blobId);
    await this.dependencies.records.markFound(found);
    const unknown: BlobKey[] = [];
    const missing = new Set<string>();
    for await (const difference of this.dependencies.comparison.differences(signal)) {
      if (difference.kind === 'unknown') unknown.push(difference.key);
      else missing.add(difference.blobId);
    }
    await this.dependencies.records.markMissing([...missing]);
    const isTooMuch = await this.#isTooMuch(unknown.length);
    if (!isTooMuch) for (const key of unknown) await this.dependencies.blobs.remove(key);
    return {
      restoredRecords: drifted.length,
      removedRecords: isRemovalHalted ? 0 : orphaned.length,
      missingBlobs: missing.size,
      foundBlobs: found.length,
      removedBlobs: isTooMuch ? 0 : unknown.length,
      keptRecords: isRemovalHalted ? orphaned.length : 0,
      keptBlobs: isTooMuch ? unknown.length : 0,
    };
  }

  async #isTooMuch(unknown: number): Promise<boolean> {
    if (unknown === 0) return false;
    const recorded = await this.#countRecorded();
    // Database and storage have nothing in common: one of them is another installation's.
    if (recorded === 0) return true;
    return unknown > MIN_BLOBS_FOR_LIMIT && unknown > MAX_UNKNOWN_SHARE * (unknown + recorded);
  }

  async #countRecorded(): Promise<number> {
    const { records } = this.dependencies;
    let count = 0;
    for await (const organization of records.organizations('stored')) {
      const blobs = records.blobs(organization, 'stored')[Symbol.asyncIterator]();
      while (!(await blobs.next()).done) count += 1;
    }
    return count;
  }
}
