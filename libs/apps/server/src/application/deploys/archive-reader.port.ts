import type { Readable } from 'node:stream';
import type { ArchiveLimits } from '../../domain/deploys/archive-limits';
import type { SiteEntry } from '../../domain/deploys/site-listing';

export type { SiteEntry } from '../../domain/deploys/site-listing';

export type ArchiveFormat = 'tar.gz' | 'zip';

/** An upload that lies on disk while it is read; its bytes do not change. */
export interface ArchiveFile {
  /** Where it lies. */
  readonly file: string;
  readonly format: ArchiveFormat;
  readonly archiveBytes: number;
  /** Called whenever some of it was read. */
  readonly onRead?: () => void;
}

/**
 * Reads archives that strangers made. Nothing in one is trusted, no file of one is held in memory, and nothing is
 * unpacked onto the disk. An abort ends the reading with the signal's reason; repeating is safe.
 */
export abstract class ArchiveReader {
  /**
   * Reads all of an archive and keeps nothing of it.
   * @returns the files of the site in ascending order of their paths' UTF-8 bytes.
   * @throws {ArchiveRejected} with every entry at fault; limits and damage end the reading at once.
   */
  abstract examine(archive: ArchiveFile, limits: ArchiveLimits, signal: AbortSignal): Promise<readonly SiteEntry[]>;

  /**
   * Reads an examined archive again and hands over the bytes of some of its files, one after the other, in the order of
   * the archive. What `take` leaves unread of a body is skipped. @param wanted as `examine` gave them.
   * @throws what `take` throws.
   */
  abstract extract(
    archive: ArchiveFile,
    wanted: readonly SiteEntry[],
    take: (entry: SiteEntry, body: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}
