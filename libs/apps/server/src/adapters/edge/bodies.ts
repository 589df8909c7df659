import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { exactly } from '../../application/blob-bodies';
import type { BlobStore, ByteRange } from '../../application/blob-store.port';
import type { SiteFile } from '../../application/site-directory.port';
import { BlobStorageFailed } from '../../domain/deploys.errors';
import type { Variant } from './prepared-file';

/** What is larger goes from storage to the visitor, and is held by nobody. */
const MOST_KEPT_BYTES = 1024 * 1024;
/** What may be on its way from storage into memory at the same time. */
const MOST_LOADING_BYTES = 64 * 1024 * 1024;

/** Storage has no bytes of a file. */
export class BytesMissing extends BlobStorageFailed {
  constructor(readonly file: SiteFile) {
    super({ cause: new Error(`There are no bytes of ${file.blob}.`) });
  }
}

/** The bytes of files: small ones are kept in memory, up to a limit for all of them. */
export class Bodies {
  readonly #kept: LRUCache<string, Buffer>;
  readonly #loads = new Map<string, Promise<Buffer>>();
  #loadingBytes = 0;

  /** @param keptBytes how much of memory bodies may take. */
  constructor(
    private readonly store: BlobStore,
    keptBytes: number,
  ) {
    this.#kept = new LRUCache({
      maxSize: keptBytes,
      maxEntrySize: Math.min(MOST_KEPT_BYTES, keptBytes),
      sizeCalculation: ({ length }) => Math.max(1, length),
    });
  }

  /** The body, when it is here. */
  kept(variant: Variant): Buffer | undefined {
    return this.#kept.get(variant.key);
  }

  /**
   * Loads a body that is not here; undefined when it should be streamed.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} @throws {BytesMissing}
   */
  load(file: SiteFile, variant: Variant): Promise<Buffer> | undefined {
    const underWay = this.#loads.get(variant.key);
    if (underWay) return underWay;
    const { size } = variant;
    if (size > MOST_KEPT_BYTES || this.#loadingBytes + size > MOST_LOADING_BYTES) return undefined;
    this.#loadingBytes += size;
    const load = this.#read(file, variant).finally(() => {
      this.#loadingBytes -= size;
      this.#loads.delete(variant.key);
    });
    this.#loads.set(variant.key, load);
    return load;
  }

  /**
   * The bytes as they come from storage. The stream fails when there are not exactly as many as there should be.
   * @param signal raised when nobody wants them any more.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} @throws {BytesMissing}
   */
  async open(file: SiteFile, variant: Variant, signal: AbortSignal, range?: ByteRange): Promise<Readable> {
    const stream = await this.store.open(file.blob, variant.encoding, { signal, ...(range && { range }) });
    if (!stream) throw new BytesMissing(file);
    return exactly({ stream, size: range ? range.last - range.first + 1 : variant.size });
  }

  /** Whoever asked may leave: others may have come meanwhile, and the next one need not ask. */
  async #read(file: SiteFile, variant: Variant): Promise<Buffer> {
    const bytes = await buffer(await this.open(file, variant, new AbortController().signal));
    this.#kept.set(variant.key, bytes);
    return bytes;
  }
}
