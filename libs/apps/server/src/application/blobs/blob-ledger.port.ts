import type { BlobKey } from '../../domain/blobs/blob-key';

/** Bytes, by what they are. */
export interface BlobDescriptor {
  /** SHA-256, lower-case hex. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** Bytes that are in storage. */
export interface StoredBlob {
  readonly id: string;
  readonly digest: string;
}

/** Bytes that are to be stored under this key. */
export interface NewBlob extends StoredBlob {
  readonly key: BlobKey;
}

/** Of bytes that somebody wants to have in storage: what is there, and what they have to store. */
export interface BlobReservation {
  readonly stored: readonly StoredBlob[];
  readonly missing: readonly NewBlob[];
}

/** What came of storing a blob. */
export interface BlobEncodings {
  readonly id: string;
  /** Bytes in that coding; undefined where it is not kept. */
  readonly brSize: number | undefined;
  readonly gzipSize: number | undefined;
}

/** A blob that nobody needs. */
export interface UnusedBlob {
  readonly id: string;
  readonly key: BlobKey;
}

/**
 * Which bytes each organization has in storage. Bytes are never shared between organizations: whoever knew a digest could
 * otherwise read what it stands for. Every method raises DatabaseUnavailable.
 */
export abstract class BlobLedger {
  /**
   * Finds what the organization has of these bytes, and keeps it from being removed for most of a day; of the rest writes
   * down that it will be stored. @param descriptors with distinct digests.
   */
  abstract reserve(organization: string, descriptors: readonly BlobDescriptor[]): Promise<BlobReservation>;

  /** The bytes are there, and others may use them. */
  abstract markStored(blobs: readonly BlobEncodings[]): Promise<void>;

  /**
   * Takes blobs that no deploy has that is not archived, and that nobody has claimed for a day: what was left behind by
   * an upload that died as well. What is found to be used is not looked at again for a day. From then on nobody gets
   * what is taken, until it is forgotten. Empty when there is nothing more.
   */
  abstract takeUnused(limit: number): Promise<readonly UnusedBlob[]>;

  /** They are gone from storage. */
  abstract forget(blobs: readonly UnusedBlob[]): Promise<void>;
}
