import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { WorkPool } from '@homeport/kernel';
import type { ArchiveLimits } from '../domain/archive-limits';
import type { AppType } from '@homeport/apps/contracts';
import { deployContentType } from '../domain/deploy-content-type';
import type { ArchiveFile, ArchiveReader, SiteEntry } from './archive-reader.port';
import type { BlobEncodings, BlobLedger, NewBlob } from '../../blobs/application/blob-ledger.port';
import type { BlobStore } from '@homeport/platform/server/blobs';
import { BlobWriter } from '../../blobs/application/blob-writer';
import { CompressionSlots } from '../../blobs/application/compression-slots';
import { assembleSite, isBlobNeeded, isOfPackage, isTextNeeded, type Site } from './site-assembly';
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

  /**
   * Unpacks an archive; stores nothing of a rejected one.
   * @throws {ArchiveRejected} @throws {NoServer} @throws {UnsupportedServerBuild}
   */
  async unpack(job: UnpackJob): Promise<Site> {
    const { appType: type = 'static' } = job.archive;
    const entries = await this.dependencies.reader.examine(job.archive, this.dependencies.limits, job.signal);
    const reserved = await this.#reserve(
      job.organization,
      entries.filter(({ path }) => isBlobNeeded(type, path)),
    );
    const texts = await this.#store(job, entries, reserved.missing);
    return assembleSite(type, { files: entries, texts, blobIds: reserved.ids });
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

  /** Reads the archive again, for the missing blobs and the texts. @returns the texts of the needed files, by path. */
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
    const texts = new Map<string, string>();
    const { appType: type = 'static' } = archive;
    const wanted = entriesToExtract(type, entries, missing);
    const take = async (entry: SiteEntry, body: Readable) => {
      const blob = wanted.blobs.get(entry.position);
      const content = isTextNeeded(type, entry) ? await buffer(body) : undefined;
      if (content) texts.set(entry.path, new TextDecoder().decode(content));
      if (!blob) return;
      const contentType = contentTypeOf(type, entry.path);
      const bytes = content ? Readable.from([content], { objectMode: false }) : body;
      const store = await writer.receive({ ...entry, contentType }, bytes);
      await pool.start(async () => void stored.push(await store(blob)));
    };
    try {
      if (wanted.entries.length > 0) await this.dependencies.reader.extract(archive, wanted.entries, take, signal);
    } finally {
      await pool.end();
    }
    await this.#markStored(stored);
    return texts;
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

interface WantedEntries {
  readonly entries: readonly SiteEntry[];
  /** The blobs to store, by the positions of the entries that have their bytes. */
  readonly blobs: ReadonlyMap<number, NewBlob>;
}

/** One file for each missing blob, and the files whose text is needed. */
function entriesToExtract(
  type: AppType,
  entries: readonly SiteEntry[],
  missing: ReadonlyMap<string, NewBlob>,
): WantedEntries {
  const remaining = new Map(missing);
  const blobs = new Map<number, NewBlob>();
  for (const { path, digest, position } of entries) {
    const blob = isBlobNeeded(type, path) ? remaining.get(digest) : undefined;
    if (blob) blobs.set(position, blob);
    if (blob) remaining.delete(digest);
  }
  return { entries: entries.filter((entry) => blobs.has(entry.position) || isTextNeeded(type, entry)), blobs };
}

/** The packages of a server are not compressed: that would take most of the time, and browsers never load them. */
function contentTypeOf(type: AppType, path: string): string {
  return type === 'ssr' && isOfPackage(path) ? 'application/octet-stream' : deployContentType(path);
}
