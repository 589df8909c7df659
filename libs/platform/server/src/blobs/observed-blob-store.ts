import type { Readable } from 'node:stream';
import { type OutageLog } from '../observability/outage-log';
import { withOutageLog } from '../observability/with-outage-log';
import { type BlobSource, BlobStore, type Encoding, type OpenOptions } from './blob-store.port';
import type { BlobKey } from './blob-key';
import { isStorageFailure } from './blobs.errors';

const READ = 'read';
/** Logged apart from reads, because an access key may be read-only. */
const WRITE = 'write';

/** Logs the outages of another blob store with their cause. */
export class ObservedBlobStore extends BlobStore {
  constructor(
    private readonly blobs: BlobStore,
    private readonly outages: OutageLog,
  ) {
    super();
  }

  put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void> {
    return this.#observed(WRITE, () => this.blobs.put(key, encoding, body, signal), signal);
  }

  async open(key: BlobKey, encoding: Encoding, options: OpenOptions): Promise<Readable | undefined> {
    const body = await this.#observed(READ, () => this.blobs.open(key, encoding, options), options.signal);
    body?.once('error', (error) => {
      if (isStorageFailure(error) && !options.signal.aborted) this.outages.failed(error, READ);
    });
    return body;
  }

  remove(key: BlobKey): Promise<void> {
    return this.#observed(WRITE, () => this.blobs.remove(key));
  }

  /** The signal is a time limit, so an aborted check counts as an outage. */
  ready(signal: AbortSignal): Promise<void> {
    return withOutageLog(this.outages, { name: READ, isOutage: () => true }, () => this.blobs.ready(signal));
  }

  #observed<T>(name: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withOutageLog(this.outages, { name, isOutage: isStorageFailure, signal }, call);
  }
}
