import { Readable } from 'node:stream';
import { abortableStream, verifiedStream } from './blob-streams';
import { type BlobSource, BlobStore, type Encoding, type OpenOptions } from './blob-store.port';
import type { ListedBlob } from './blob-inventory.port';
import type { BlobKey } from './blob-key';
import { BlobStorageFailed } from './blobs.errors';

/** A blob store in memory, for tests. Passes the same contract suite as the S3 adapter. */
export class InMemoryBlobStore extends BlobStore {
  readonly #blobs = new Map<BlobKey, Map<Encoding, Buffer>>();

  async put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void> {
    const bytes = Buffer.isBuffer(body) ? Buffer.from(body) : await readAll(body, signal);
    signal.throwIfAborted();
    const blob = this.#blobs.get(key) ?? new Map<Encoding, Buffer>();
    this.#blobs.set(key, blob.set(encoding, bytes));
  }

  async open(key: BlobKey, encoding: Encoding, { range, signal }: OpenOptions): Promise<Readable | undefined> {
    signal.throwIfAborted();
    const bytes = this.#blobs.get(key)?.get(encoding);
    if (bytes === undefined) return undefined;
    if (range && (range.first > range.last || range.last >= bytes.length)) throw new BlobStorageFailed();
    const wanted = range ? bytes.subarray(range.first, range.last + 1) : bytes;
    return abortableStream(signal, Readable.from(wanted.length > 0 ? [wanted] : [], { objectMode: false }));
  }

  async remove(key: BlobKey): Promise<void> {
    this.#blobs.delete(key);
  }

  async ready(): Promise<void> {
    return Promise.resolve();
  }

  /** All encodings of all blobs. */
  list(): readonly ListedBlob[] {
    return [...this.#blobs].flatMap(([key, encodings]) =>
      [...encodings].map(([encoding, bytes]) => ({ key, encoding, size: bytes.length })),
    );
  }
}

async function readAll(source: BlobSource, signal: AbortSignal): Promise<Buffer> {
  const body = verifiedStream(source);
  try {
    return Buffer.concat((await body.toArray({ signal })) as Buffer[]);
  } catch (error) {
    signal.throwIfAborted();
    throw body.errored ?? error;
  } finally {
    body.destroy();
  }
}
