import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WorkPool } from '@homeport/kernel';
import type { ArchiveLimits } from '../domain/archive-limits';
import { deployContentType } from '../domain/deploy-content-type';
import { isRuleFile } from '@homeport/hosting/contracts';
import type { ArchiveFile, ArchiveReader, SiteEntry } from './archive-reader.port';
import type { BlobEncodings, BlobLedger, NewBlob } from '../../blobs/application/blob-ledger.port';
import type { BlobStore } from '@homeport/platform/server/blobs';
import { BlobWriter } from '../../blobs/application/blob-writer';
import { CompressionSlots } from '../../blobs/application/compression-slots';
import type { ReadyDeploy } from './deploy-repository.port';
import { isReadableRuleFile, parseRules } from './site-rule-files';
import type { UploadSpool } from '../../blobs/application/upload-spool';

/** Maximum number of blobs in one call of the ledger. */
const BLOBS_PER_QUERY = 2_000;
const WRITE_CONCURRENCY = 8;

export interface UnpackerDependencies {
  readonly reader: ArchiveReader;
  readonly ledger: BlobLedger;
  readonly blobs: BlobStore;
  readonly limits: ArchiveLimits;
  /** Shared with other use cases; default: separate slots. */
  readonly slots?: CompressionSlots;
}

/** One archive to unpack. */
export interface UnpackJob {
  readonly organization: string;
  readonly archive: ArchiveFile;
  readonly spool: UploadSpool;
  /** Aborts the job. */
  readonly signal: AbortSignal;
  /** Called whenever something was read or stored. */
  readonly onProgress?: () => void;
  /** Called when the job starts to wait for other deploys. @returns a function that ends the pause. */
  readonly pauseIdle?: () => () => void;
}

type UnpackedSite = Pick<ReadyDeploy, 'files' | 'rules' | 'problems'>;

/** The blobs of an archive, by digest: all ids, and the blobs that have to be stored. */
interface ReservedBlobs {
  readonly ids: ReadonlyMap<string, string>;
  readonly missing: ReadonlyMap<string, NewBlob>;
}

/** Unpacks an archive: stores the blobs that the organization does not have yet, and reads the rules. */
export class SiteUnpacker {
  readonly #slots: CompressionSlots;

  constructor(private readonly dependencies: UnpackerDependencies) {
    this.#slots = dependencies.slots ?? new CompressionSlots();
  }

  /** Unpacks an archive; stores nothing of a rejected one. @throws {ArchiveRejected} */
  async unpack(job: UnpackJob): Promise<UnpackedSite> {
    const entries = await this.dependencies.reader.examine(job.archive, this.dependencies.limits, job.signal);
    const reserved = await this.#reserve(
      job.organization,
      entries.filter((entry) => !isRuleFile(entry.path)),
    );
    const ruleTexts = await this.#store(job, entries, reserved.missing);
    const files = entries.map(({ path, size, digest }) => {
      const blobId = isRuleFile(path) ? undefined : reserved.ids.get(digest);
      return { path, size, digest, contentType: deployContentType(path), blobId };
    });
    return { files, ...parseRules(ruleTexts, entries) };
  }

  async #reserve(organization: string, entries: readonly SiteEntry[]): Promise<ReservedBlobs> {
    const descriptors = [...new Map(entries.map((entry) => [entry.digest, entry])).values()];
    const ids = new Map<string, string>();
    const missing = new Map<string, NewBlob>();
    for (let start = 0; start < descriptors.length; start += BLOBS_PER_QUERY) {
      const batch = descriptors.slice(start, start + BLOBS_PER_QUERY);
      const reservation = await this.dependencies.ledger.reserve(organization, batch);
      for (const { digest, id } of [...reservation.stored, ...reservation.missing]) ids.set(digest, id);
      for (const blob of reservation.missing) missing.set(blob.digest, blob);
    }
    return { ids, missing };
  }

  /** Reads the archive again, for the missing blobs and the rules. @returns the texts of the rule files, by path. */
  async #store(
    job: UnpackJob,
    entries: readonly SiteEntry[],
    missing: ReadonlyMap<string, NewBlob>,
  ): Promise<ReadonlyMap<string, string>> {
    const { archive, spool, signal, onProgress = () => undefined } = job;
    const compressing = (isLarge: boolean) => this.#acquireCompressionSlot(job, isLarge);
    const writer = new BlobWriter({ blobs: this.dependencies.blobs, spool, signal, compressing, onProgress });
    const pool = new WorkPool(WRITE_CONCURRENCY);
    const stored: BlobEncodings[] = [];
    const rules = new Map<string, string>();
    const take = async (entry: SiteEntry, body: Readable) => {
      const blob = missing.get(entry.digest);
      if (isRuleFile(entry.path)) rules.set(entry.path, await text(body));
      else if (blob) {
        const store = await writer.receive({ ...entry, contentType: deployContentType(entry.path) }, body);
        await pool.start(async () => void stored.push(await store(blob)));
      }
    };
    const wanted = entriesToExtract(entries, missing);
    try {
      if (wanted.length > 0) await this.dependencies.reader.extract(archive, wanted, take, signal);
    } finally {
      await pool.end();
    }
    await this.#markStored(stored);
    return rules;
  }

  /** Acquires a slot. Pauses the idle limit during the wait, because other deploys cause it. */
  async #acquireCompressionSlot({ organization, signal, pauseIdle }: UnpackJob, isLarge: boolean): Promise<() => void> {
    const resume = pauseIdle?.();
    try {
      return await this.#slots.acquire(organization, isLarge, signal);
    } finally {
      resume?.();
    }
  }

  async #markStored(stored: readonly BlobEncodings[]): Promise<void> {
    for (let start = 0; start < stored.length; start += BLOBS_PER_QUERY) {
      await this.dependencies.ledger.markStored(stored.slice(start, start + BLOBS_PER_QUERY));
    }
  }
}

/** One file for each missing blob, and the rule files that are not too large. */
function entriesToExtract(entries: readonly SiteEntry[], missing: ReadonlyMap<string, NewBlob>): SiteEntry[] {
  const remaining = new Set(missing.keys());
  return entries.filter(({ path, size, digest }) =>
    isRuleFile(path) ? isReadableRuleFile({ path, size }) : remaining.delete(digest),
  );
}
