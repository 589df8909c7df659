import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import {
  BlobStorageFailed,
  type BlobStore,
  type ByteRange,
  type Encoding,
  verifiedStream,
} from '@homeport/platform/server/blobs';
import { EncodedBodyVerifier } from './encoded-body-verifier';
import type { CacheUse } from '../../routing/application/cache-use';
import type { SiteFile } from '../../routing/application/site-directory.port';

/** Larger bodies are streamed from storage to the visitor and not cached. */
const MAX_CACHED_BODY_BYTES = 1024 * 1024;
/** Limit for concurrent loads from storage into memory. */
const MAX_LOADING_BYTES = 64 * 1024 * 1024;

/** The body of a file in one encoding. */
export interface BodyDescriptor {
  /** The key in the cache. */
  readonly key: string;
  readonly encoding: Encoding;
  /** Bytes. */
  readonly size: number;
}

/** The bytes of a file are missing in storage. */
export class BlobMissing extends BlobStorageFailed {
  constructor(readonly file: SiteFile) {
    super({ cause: new Error(`There are no bytes of ${file.blob}.`) });
  }
}

/** Caches the bodies of small files in memory, up to a total size. */
export class BlobCache {
  readonly #cached: LRUCache<string, Buffer>;
  readonly #loads = new Map<string, Promise<Buffer>>();
  readonly #verifier = new EncodedBodyVerifier();
  #loadingBytes = 0;
  #hits = 0;
  #misses = 0;

  /** @param maxBytes bytes of memory for cached bodies. */
  constructor(
    private readonly store: BlobStore,
    maxBytes: number,
  ) {
    this.#cached = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.min(MAX_CACHED_BODY_BYTES, maxBytes),
      sizeCalculation: ({ length }) => Math.max(1, length),
    });
  }

  get use(): CacheUse {
    return { hits: this.#hits, misses: this.#misses, entries: this.#cached.size };
  }

  /** The memory of the cached bodies. */
  get cachedBytes(): number {
    return this.#cached.calculatedSize;
  }

  /** @returns the body, if it is cached. */
  get(wanted: BodyDescriptor): Buffer | undefined {
    const body = this.#cached.get(wanted.key);
    if (body) this.#hits += 1;
    else this.#misses += 1;
    return body;
  }

  /**
   * Loads a body that is not cached.
   * @returns undefined when the body should be streamed.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} @throws {BlobMissing}
   */
  load(file: SiteFile, wanted: BodyDescriptor): Promise<Buffer> | undefined {
    const running = this.#loads.get(wanted.key);
    if (running) return running;
    const { size } = wanted;
    if (size > MAX_CACHED_BODY_BYTES || this.#loadingBytes + size > MAX_LOADING_BYTES) return undefined;
    this.#loadingBytes += size;
    const load = this.#read(file, wanted).finally(() => {
      this.#loadingBytes -= size;
      this.#loads.delete(wanted.key);
    });
    this.#loads.set(wanted.key, load);
    return load;
  }

  /**
   * Streams bytes from storage and verifies their number and, for a whole uncompressed file, their digest. On a
   * mismatch, the stream fails before its end.
   * @param signal aborts the stream.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} @throws {BlobMissing}
   */
  async open(file: SiteFile, wanted: BodyDescriptor, signal: AbortSignal, range?: ByteRange): Promise<Readable> {
    const stream = await this.store.open(file.blob, wanted.encoding, { signal, ...(range && { range }) });
    if (!stream) throw new BlobMissing(file);
    const digest = range || wanted.encoding !== 'identity' ? undefined : file.digest;
    return verifiedStream({ stream, size: range ? range.last - range.first + 1 : wanted.size }, digest);
  }

  /** Not tied to the signal of one request: other requests may wait for the same body, and the cache needs it. */
  async #read(file: SiteFile, wanted: BodyDescriptor): Promise<Buffer> {
    const bytes = await buffer(await this.open(file, wanted, new AbortController().signal));
    if (wanted.encoding !== 'identity') await this.#verifier.verify(file, wanted.encoding, bytes);
    this.#cached.set(wanted.key, bytes);
    return bytes;
  }
}
