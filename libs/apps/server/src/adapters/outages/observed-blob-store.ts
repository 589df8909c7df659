import type { Readable } from 'node:stream';
import { type OutageLog, withOutageLog } from '@homeport/platform/server';
import { type BlobSource, BlobStore, type Encoding, type OpenOptions } from '../../application/blobs/blob-store.port';
import type { BlobKey } from '../../domain/blobs/blob-key';
import { isStorageFailure } from '../../domain/blobs/blobs.errors';

const READ = 'read';
/** A key may be allowed to read the bucket and not to write to it. */
const WRITE = 'write';

/** Another blob store, whose outages are logged with their cause. */
export class ObservedBlobStore extends BlobStore {
  constructor(
    private readonly blobs: BlobStore,
    private readonly outages: OutageLog,
  ) {
    super();
  }

  put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void> {
    return this.#watched(WRITE, () => this.blobs.put(key, encoding, body, signal), signal);
  }

  async open(key: BlobKey, encoding: Encoding, options: OpenOptions): Promise<Readable | undefined> {
    const body = await this.#watched(READ, () => this.blobs.open(key, encoding, options), options.signal);
    body?.once('error', (error) => {
      if (isStorageFailure(error) && !options.signal.aborted) this.outages.failed(error, READ);
    });
    return body;
  }

  remove(key: BlobKey): Promise<void> {
    return this.#watched(WRITE, () => this.blobs.remove(key));
  }

  /** Its signal is a time limit, so a call that is cut off by it has found storage too slow. */
  ready(signal: AbortSignal): Promise<void> {
    return withOutageLog(this.outages, { name: READ, isOutage: () => true }, () => this.blobs.ready(signal));
  }

  #watched<T>(name: string, call: () => Promise<T>, leaving?: AbortSignal): Promise<T> {
    return withOutageLog(this.outages, { name, isOutage: isStorageFailure, leaving }, call);
  }
}
