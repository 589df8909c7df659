import { ArchiveRejected } from './archive.errors';

/** How much an archive may hold. */
export interface ArchiveLimits {
  /** Bytes of the archive itself. */
  readonly sentBytes: number;
  /** Bytes of everything in it, unpacked. */
  readonly inflatedBytes: number;
  readonly files: number;
  /** Bytes of the largest file. */
  readonly fileBytes: number;
}

/** Sites shrink to a fifth; what shrinks this much was made to. Little that inflates is never judged: a blank page may. */
const MOST_INFLATION = 200;
const JUDGED_FROM = 8 * 1024 * 1024;
/** Folders and what is dropped are entries too, and reading them takes time. */
const ENTRIES_PER_FILE = 4;

/** Built sites have paths of 40 to 90 bytes on average; a listing holds all of them in memory. */
const PATH_BYTES_PER_FILE = 256;
const LEAST_PATH_BYTES = 5 * 1024 * 1024;

const MIB = 1024 * 1024;

/** Bytes of all the paths in an archive: 5 MiB for 20,000 files. */
export function mostPathBytes({ files }: ArchiveLimits): number {
  return Math.max(LEAST_PATH_BYTES, files * PATH_BYTES_PER_FILE);
}

export function shownSize(bytes: number): string {
  return bytes >= MIB ? `${Math.floor(bytes / MIB).toLocaleString('en')} MiB` : `${bytes.toLocaleString('en')} bytes`;
}

/** @throws {ArchiveRejected} when the archive itself is too large, or is so already. */
export function demandSentSize(bytes: number, limits: ArchiveLimits): void {
  if (bytes > limits.sentBytes) {
    throw ArchiveRejected.whole(`The archive is larger than ${shownSize(limits.sentBytes)}.`);
  }
}

/** Counts what comes out of an archive while it is read, and ends the reading at a limit. */
export class ArchiveMeter {
  #inflated = 0;
  #entries = 0;

  /** @throws {ArchiveRejected} when it is too large as it was sent. */
  constructor(
    private readonly sentBytes: number,
    private readonly limits: ArchiveLimits,
    private readonly onRead: () => void = () => undefined,
  ) {
    demandSentSize(sentBytes, limits);
  }

  /** @throws {ArchiveRejected} */
  inflate(bytes: number): void {
    this.onRead();
    this.#inflated += bytes;
    if (this.#inflated > this.limits.inflatedBytes)
      throw ArchiveRejected.whole(`The archive holds more than ${shownSize(this.limits.inflatedBytes)} unpacked.`);
    if (this.#inflated > JUDGED_FROM && this.#inflated > this.sentBytes * MOST_INFLATION)
      throw ArchiveRejected.whole(`The archive unpacks to more than ${MOST_INFLATION} times its size.`);
  }

  /** @throws {ArchiveRejected} */
  enter(): void {
    this.onRead();
    const most = this.limits.files * ENTRIES_PER_FILE;
    if (++this.#entries > most)
      throw ArchiveRejected.whole(`The archive has more than ${most.toLocaleString('en')} entries.`);
  }
}
