export { BLOB_ROOT, blobFolder, blobKey, parseBlobKey } from './blob-key';
export type { BlobKey } from './blob-key';
export { BlobInventory } from './blob-inventory.port';
export type { ListedBlob } from './blob-inventory.port';
export { BlobSizeMismatch, BlobStore, ENCODINGS } from './blob-store.port';
export type { BlobSource, ByteRange, Encoding, OpenOptions } from './blob-store.port';
export { verifiedStream } from './blob-streams';
export {
  BlobCorrupt,
  BlobStorageFailed,
  BlobStorageTimeout,
  BlobStorageUnavailable,
  isStorageFailure,
} from './blobs.errors';
export { InMemoryBlobInventory } from './in-memory-blob-inventory';
export { InMemoryBlobStore } from './in-memory-blob-store';
export { ObservedBlobStore } from './observed-blob-store';
