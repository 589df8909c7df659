import type { Readable } from 'node:stream';
import type { AppType } from '@homeport/apps/contracts';
import type { ArchiveLimits } from '../domain/archive-limits';
import type { SiteEntry } from '../domain/site-listing';

export type { SiteEntry } from '../domain/site-listing';

export type ArchiveFormat = 'tar.gz' | 'zip';

/** An uploaded archive on the disk. It does not change while it is read. */
export interface ArchiveFile {
  /** The path of the file. */
  readonly file: string;
  readonly format: ArchiveFormat;
  readonly archiveBytes: number;
  /** The type of the app, which decides about hidden files; default: `static`. */
  readonly appType?: AppType;
  /** Called whenever a part was read. */
  readonly onRead?: () => void;
}

/**
 * Reads untrusted archives. No file is held in memory as a whole, and nothing is unpacked onto the disk. After an
 * abort, calls reject with the signal's reason; they can be repeated.
 */
export abstract class ArchiveReader {
  /**
   * Reads the whole archive and validates it.
   * @returns the files of the site in the order of their paths.
   * @throws {ArchiveRejected} with all invalid entries; an exceeded limit or damage ends the reading immediately.
   */
  abstract examine(archive: ArchiveFile, limits: ArchiveLimits, signal: AbortSignal): Promise<readonly SiteEntry[]>;

  /**
   * Reads an examined archive again and passes the bytes of some files to `take`, one after the other, in the order of
   * the archive. The part of a body that `take` does not read is skipped.
   * @param wanted files that `examine` returned.
   * @throws the error that `take` throws.
   */
  abstract extract(
    archive: ArchiveFile,
    wanted: readonly SiteEntry[],
    take: (entry: SiteEntry, body: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}
