export { blobKey } from './blob-key';
export type { BlobKey } from './blob-key';
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
export { InMemoryBlobStore } from './in-memory-blob-store';
export { ObservedBlobStore } from './observed-blob-store';
