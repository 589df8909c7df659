import { ArchiveRejected } from './archive.errors';

/** Upper limits for an archive. */
export interface ArchiveLimits {
  /** Bytes of the archive itself. */
  readonly archiveBytes: number;
  /** Bytes of all files together, unpacked. */
  readonly unpackedBytes: number;
  readonly files: number;
  /** Bytes of the largest file. */
  readonly fileBytes: number;
}

/** A higher ratio indicates a zip bomb: sites have about 5. Small archives are exempt: an empty page may exceed it. */
const MAX_COMPRESSION_RATIO = 200;
const RATIO_CHECKED_FROM_BYTES = 8 * 1024 * 1024;
/** Folders and ignored files are entries too, and reading them takes time. */
const ENTRIES_PER_FILE = 4;

/** Paths of built sites have 40 to 90 bytes on average. A listing holds all paths in memory. */
const PATH_BYTES_PER_FILE = 256;
const MIN_PATH_BYTES_LIMIT = 5 * 1024 * 1024;

const MIB = 1024 * 1024;

/** The limit for the total length of all paths in an archive, in bytes: 5 MiB for 20,000 files. */
export function maxPathBytes({ files }: ArchiveLimits): number {
  return Math.max(MIN_PATH_BYTES_LIMIT, files * PATH_BYTES_PER_FILE);
}

/** The limit for the number of entries, folders and ignored files included. */
export function maxEntries({ files }: ArchiveLimits): number {
  return files * ENTRIES_PER_FILE;
}

export function formatBytes(bytes: number): string {
  return bytes >= MIB ? `${Math.floor(bytes / MIB).toLocaleString('en')} MiB` : `${bytes.toLocaleString('en')} bytes`;
}

/** @throws {ArchiveRejected} when the archive, or the part that has arrived, is too large. */
export function assertArchiveSize(bytes: number, limits: ArchiveLimits): void {
  if (bytes > limits.archiveBytes) {
    throw ArchiveRejected.forArchive(`The archive is larger than ${formatBytes(limits.archiveBytes)}.`);
  }
}

/** Counts the bytes and entries of an archive while it is read, and throws at a limit. */
export class ArchiveMeter {
  #inflated = 0;
  #entries = 0;
  #nameBytes = 0;

  /** @throws {ArchiveRejected} when the archive itself is too large. */
  constructor(
    private readonly archiveBytes: number,
    private readonly limits: ArchiveLimits,
    private readonly onRead: () => void = () => undefined,
  ) {
    assertArchiveSize(archiveBytes, limits);
  }

  /** @throws {ArchiveRejected} */
  countBytes(bytes: number): void {
    this.onRead();
    this.#inflated += bytes;
    if (this.#inflated > this.limits.unpackedBytes)
      throw ArchiveRejected.forArchive(
        `The archive holds more than ${formatBytes(this.limits.unpackedBytes)} unpacked.`,
      );
    if (this.#inflated > RATIO_CHECKED_FROM_BYTES && this.#inflated > this.archiveBytes * MAX_COMPRESSION_RATIO)
      throw ArchiveRejected.forArchive(`The archive unpacks to more than ${MAX_COMPRESSION_RATIO} times its size.`);
  }

  /** @throws {ArchiveRejected} */
  countEntry(): void {
    this.onRead();
    const limit = maxEntries(this.limits);
    if (++this.#entries > limit)
      throw ArchiveRejected.forArchive(`The archive has more than ${limit.toLocaleString('en')} entries.`);
  }

  /** @throws {ArchiveRejected} */
  countName(bytes: number): void {
    this.#nameBytes += bytes;
    const maxBytes = maxPathBytes(this.limits) * ENTRIES_PER_FILE;
    if (this.#nameBytes > maxBytes)
      throw ArchiveRejected.forArchive(`The names in the archive are longer than ${formatBytes(maxBytes)} in total.`);
  }
}
