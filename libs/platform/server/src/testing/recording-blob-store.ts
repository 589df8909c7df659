import type { BlobKey } from '../blobs/blob-key';
import type { BlobSource, Encoding } from '../blobs/blob-store.port';
import { InMemoryBlobStore } from '../blobs/in-memory-blob-store';

/** A blob store in memory that records its calls and can fail or wait. */
export class RecordingBlobStore extends InMemoryBlobStore {
  readonly stored: { readonly key: BlobKey; readonly encoding: Encoding; readonly isStreamed: boolean }[] = [];
  readonly removed: BlobKey[] = [];
  /** Runs before each write; it may throw. */
  before: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  beforeRemoval: (key: BlobKey) => Promise<void> = () => Promise.resolve();

  override async put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void> {
    try {
      await this.before(signal);
    } catch (error) {
      if (!Buffer.isBuffer(body)) body.stream.destroy();
      throw error;
    }
    await super.put(key, encoding, body, signal);
    this.stored.push({ key, encoding, isStreamed: !Buffer.isBuffer(body) });
  }

  override async remove(key: BlobKey): Promise<void> {
    await this.beforeRemoval(key);
    await super.remove(key);
    this.removed.push(key);
  }
}
