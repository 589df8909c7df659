import { ArchiveRejected } from './archive.errors';

/** How much an archive may hold. */
export interface ArchiveLimits {
  /** Bytes of the archive itself. */
  readonly archiveBytes: number;
  /** Bytes of everything in it, unpacked. */
  readonly unpackedBytes: number;
  readonly files: number;
  /** Bytes of the largest file. */
  readonly fileBytes: number;
}

/** Sites shrink to a fifth; what shrinks this much was made to. Little that inflates is never judged: a blank page may. */
const MAX_COMPRESSION_RATIO = 200;
const RATIO_CHECKED_FROM_BYTES = 8 * 1024 * 1024;
/** Folders and what is dropped are entries too, and reading them takes time. */
const ENTRIES_PER_FILE = 4;

/** Built sites have paths of 40 to 90 bytes on average; a listing holds all of them in memory. */
const PATH_BYTES_PER_FILE = 256;
const MIN_PATH_BYTES_LIMIT = 5 * 1024 * 1024;

const MIB = 1024 * 1024;

/** Bytes of all the paths in an archive: 5 MiB for 20,000 files. */
export function maxPathBytes({ files }: ArchiveLimits): number {
  return Math.max(MIN_PATH_BYTES_LIMIT, files * PATH_BYTES_PER_FILE);
}

export function formatBytes(bytes: number): string {
  return bytes >= MIB ? `${Math.floor(bytes / MIB).toLocaleString('en')} MiB` : `${bytes.toLocaleString('en')} bytes`;
}

/** @throws {ArchiveRejected} when the archive itself is too large, or is so already. */
export function assertArchiveSize(bytes: number, limits: ArchiveLimits): void {
  if (bytes > limits.archiveBytes) {
    throw ArchiveRejected.forArchive(`The archive is larger than ${formatBytes(limits.archiveBytes)}.`);
  }
}

/** Counts what comes out of an archive while it is read, and ends the reading at a limit. */
export class ArchiveMeter {
  #inflated = 0;
  #entries = 0;

  /** @throws {ArchiveRejected} when it is too large as it was sent. */
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
    const most = this.limits.files * ENTRIES_PER_FILE;
    if (++this.#entries > most)
      throw ArchiveRejected.forArchive(`The archive has more than ${most.toLocaleString('en')} entries.`);
  }
}
