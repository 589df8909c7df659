import type { BlobKey } from './blob-key';
import type { Encoding } from './blob-store.port';

/** One encoding of a blob, as the storage lists it. */
export interface ListedBlob {
  readonly key: BlobKey;
  readonly encoding: Encoding;
  /** Bytes. */
  readonly size: number;
}

/**
 * Lists the blobs in the storage, to compare them with the database. Every method can reject with
 * BlobStorageUnavailable, BlobStorageTimeout or BlobStorageFailed, and with the reason of the signal. Objects with other
 * names than those of blobs are left out.
 */
export abstract class BlobInventory {
  /** Lists the folder of each organization that has an object, as `blobFolder` names it. */
  abstract folders(signal: AbortSignal): AsyncIterable<string>;

  /** Lists the blobs in a folder, ordered by key. */
  abstract blobs(folder: string, signal: AbortSignal): AsyncIterable<ListedBlob>;
}
