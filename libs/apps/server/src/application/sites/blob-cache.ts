import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { BlobStorageFailed } from '../../domain/blobs/blobs.errors';
import { verifiedStream } from '../blobs/blob-streams';
import type { BlobStore, ByteRange, Encoding } from '../blobs/blob-store.port';
import { EncodedBodyVerifier } from './encoded-body-verifier';
import type { SiteFile } from './site-directory.port';

/** What is larger goes from storage to the visitor, and is held by nobody. */
const MAX_CACHED_BODY_BYTES = 1024 * 1024;
/** What may be on its way from storage into memory at the same time. */
const MAX_LOADING_BYTES = 64 * 1024 * 1024;

/** The bytes of a file in one of its codings. */
export interface BodyDescriptor {
  /** Theirs among all that are kept. */
  readonly key: string;
  readonly encoding: Encoding;
  /** Bytes. */
  readonly size: number;
}

/** Storage has no bytes of a file. */
export class BlobMissing extends BlobStorageFailed {
  constructor(readonly file: SiteFile) {
    super({ cause: new Error(`There are no bytes of ${file.blob}.`) });
  }
}

/** The bytes of files: small ones are kept in memory, up to a limit for all of them. */
export class BlobCache {
  readonly #kept: LRUCache<string, Buffer>;
  readonly #loads = new Map<string, Promise<Buffer>>();
  readonly #coded = new EncodedBodyVerifier();
  #loadingBytes = 0;

  /** @param keptBytes how much of memory bodies may take. */
  constructor(
    private readonly store: BlobStore,
    keptBytes: number,
  ) {
    this.#kept = new LRUCache({
      maxSize: keptBytes,
      maxEntrySize: Math.min(MAX_CACHED_BODY_BYTES, keptBytes),
      sizeCalculation: ({ length }) => Math.max(1, length),
    });
  }

  /** The body, when it is here. */
  get(wanted: BodyDescriptor): Buffer | undefined {
    return this.#kept.get(wanted.key);
  }

  /**
   * Loads a body that is not here; undefined when it should be streamed.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} @throws {BlobMissing}
   */
  load(file: SiteFile, wanted: BodyDescriptor): Promise<Buffer> | undefined {
    const underWay = this.#loads.get(wanted.key);
    if (underWay) return underWay;
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
   * The bytes as they come from storage. The stream fails before its end when there are not exactly as many as there
   * should be, or when they are a whole uncoded file and others than were deployed.
   * @param signal raised when nobody wants them any more.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} @throws {BlobMissing}
   */
  async open(file: SiteFile, wanted: BodyDescriptor, signal: AbortSignal, range?: ByteRange): Promise<Readable> {
    const stream = await this.store.open(file.blob, wanted.encoding, { signal, ...(range && { range }) });
    if (!stream) throw new BlobMissing(file);
    const digest = range || wanted.encoding !== 'identity' ? undefined : file.digest;
    return verifiedStream({ stream, size: range ? range.last - range.first + 1 : wanted.size }, digest);
  }

  /** Whoever asked may leave: others may have come meanwhile, and the next one need not ask. */
  async #read(file: SiteFile, wanted: BodyDescriptor): Promise<Buffer> {
    const bytes = await buffer(await this.open(file, wanted, new AbortController().signal));
    if (wanted.encoding !== 'identity') await this.#coded.verify(file, wanted.encoding, bytes);
    this.#kept.set(wanted.key, bytes);
    return bytes;
  }
}
