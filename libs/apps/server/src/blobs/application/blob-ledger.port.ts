import type { BlobKey } from '@homeport/platform/server/blobs';

/** Identifies bytes by their content. */
export interface BlobDescriptor {
  /** SHA-256, lower-case hex. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** A blob that is in storage. */
export interface StoredBlob extends BlobDescriptor {
  readonly id: string;
}

/** A blob that has to be stored under this key. */
export interface NewBlob {
  readonly id: string;
  readonly digest: string;
  readonly key: BlobKey;
}

/** The blobs of a reservation: those that are in storage already, and those that the caller has to store. */
export interface BlobReservation {
  readonly stored: readonly StoredBlob[];
  readonly missing: readonly NewBlob[];
}

/** The stored variants of a blob. */
export interface BlobEncodings {
  readonly id: string;
  /** Bytes of the compressed variant; undefined when it is not stored. */
  readonly brSize: number | undefined;
  readonly gzipSize: number | undefined;
}

/** A blob without a reference. */
export interface UnusedBlob {
  readonly id: string;
  readonly key: BlobKey;
}

/**
 * The blobs of each organization. Organizations never share blobs: otherwise a client that knows a digest could read
 * the bytes of another organization. Every method can reject with DatabaseUnavailable.
 */
export abstract class BlobLedger {
  /**
   * Finds the blobs that the organization already has, and protects them from removal for most of a day. Records the
   * others as being stored.
   * @param descriptors with distinct digests.
   */
  abstract reserve(organization: string, descriptors: readonly BlobDescriptor[]): Promise<BlobReservation>;

  /** Finds the blobs that the organization already has, and protects them, like `reserve`. @param digests distinct. */
  abstract reserveStored(organization: string, digests: readonly string[]): Promise<readonly StoredBlob[]>;

  /** Marks blobs as stored, so that other deploys can use them. */
  abstract markStored(blobs: readonly BlobEncodings[]): Promise<void>;

  /**
   * Claims blobs that belong only to archived deploys or to none, and that were not reserved for a day; this includes
   * the blobs of interrupted uploads. Blobs in use are checked again after a day. A claimed blob is not reserved again
   * until `deleteEntries` is called.
   * @returns an empty list when no more blobs are unused.
   */
  abstract claimUnused(limit: number): Promise<readonly UnusedBlob[]>;

  /** Deletes the records of blobs that were removed from storage. */
  abstract deleteEntries(blobs: readonly UnusedBlob[]): Promise<void>;
}
