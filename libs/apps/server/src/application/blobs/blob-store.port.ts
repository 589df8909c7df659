import type { Readable } from 'node:stream';
import type { BlobKey } from '../../domain/blobs/blob-key';

/** How the bytes of a blob are coded where they are stored. */
export const ENCODINGS = ['identity', 'br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes that are handed over as they come. */
export interface BlobSource {
  readonly stream: Readable;
  /** Bytes. */
  readonly size: number;
}

export interface ByteRange {
  /** From 0. */
  readonly first: number;
  /** Inclusive, and in the blob. */
  readonly last: number;
}

export interface OpenOptions {
  readonly range?: ByteRange;
  /** Raised when nobody wants the bytes any more; also ends a stream that is being read. */
  readonly signal: AbortSignal;
}

/** A source had fewer bytes than were announced, or more. */
export class BlobSizeMismatch extends Error {
  override readonly name = 'BlobSizeMismatch';
}

/**
 * Where the files of deployed apps are, each as a blob of up to 64 MiB. Every method raises BlobStorageUnavailable,
 * BlobStorageTimeout or BlobStorageFailed besides what it names, and may be repeated. Whoever raises a signal is given
 * its reason.
 */
export abstract class BlobStore {
  /**
   * Writes the bytes whole or not at all; writing the same again is harmless. A source is destroyed in any case; the
   * error of one that fails is raised. How long a source may be silent, the caller decides with `signal`.
   * @throws {BlobSizeMismatch}
   */
  abstract put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void>;

  /** The bytes, or a range of them; the stream must be consumed or destroyed. Undefined when there are none. */
  abstract open(key: BlobKey, encoding: Encoding, options: OpenOptions): Promise<Readable | undefined>;

  /** Removes every encoding; absent already is success. */
  abstract remove(key: BlobKey): Promise<void>;

  /** Resolves when the storage answers. */
  abstract ready(signal: AbortSignal): Promise<void>;
}
