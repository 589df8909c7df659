import type { Readable } from 'node:stream';
import type { BlobKey } from './blob-key';

/** The content codings in which a blob can be stored. */
export const ENCODINGS = ['identity', 'br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes that are streamed. */
export interface BlobSource {
  readonly stream: Readable;
  /** Bytes. */
  readonly size: number;
}

export interface ByteRange {
  /** Offset from 0. */
  readonly first: number;
  /** Inclusive; within the blob. */
  readonly last: number;
}

export interface OpenOptions {
  readonly range?: ByteRange;
  /** Aborts the call, and the stream while it is being read. */
  readonly signal: AbortSignal;
}

/** A source had fewer or more bytes than its declared size. */
export class BlobSizeMismatch extends Error {
  override readonly name = 'BlobSizeMismatch';
}

/**
 * Stores the files of deployed apps, each as one blob, written with a single PUT (S3 allows 5 GiB). In addition to the documented errors, every method
 * can reject with BlobStorageUnavailable, BlobStorageTimeout or BlobStorageFailed. Calls can be repeated. After an
 * abort they reject with the signal's reason.
 */
export abstract class BlobStore {
  /**
   * Writes all bytes or none; writing the same blob again is safe. The source is always destroyed, and its error is
   * thrown. The caller limits the time that a source may be silent with `signal`.
   * @throws {BlobSizeMismatch}
   */
  abstract put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void>;

  /**
   * Opens the bytes, or a range of them. The caller must consume or destroy the stream.
   * @returns undefined for a missing blob.
   */
  abstract open(key: BlobKey, encoding: Encoding, options: OpenOptions): Promise<Readable | undefined>;

  /** Removes all encodings of a blob; succeeds for a missing blob. */
  abstract remove(key: BlobKey): Promise<void>;

  /** Resolves when the storage responds. */
  abstract ready(signal: AbortSignal): Promise<void>;
}
