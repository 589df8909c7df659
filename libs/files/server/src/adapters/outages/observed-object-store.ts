import { type OutageLog, withOutageLog } from '@homeport/platform/server/observability';
import {
  type ListOptions,
  type ListPage,
  type NotModified,
  type ObjectRead,
  ObjectStore,
  type ObjectUpload,
  type ReadConditions,
  type StoredObject,
} from '../../application/object-store.port';
import { StorageFailed, StorageTimeout, StorageUnavailable } from '../../domain/files.errors';
import type { WorkspaceKey, WorkspacePrefix } from '../../domain/workspace-key';

const READ = 'read';
/** Separate from `READ`, because credentials may allow reads and deny writes. */
const WRITE = 'write';

/** Decorates an object store and logs its outages with their cause. */
export class ObservedObjectStore extends ObjectStore {
  constructor(
    private readonly objects: ObjectStore,
    private readonly outages: OutageLog,
  ) {
    super();
  }

  put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject> {
    const { body, signal } = upload;
    // A failed body is the client's failure, even when its connection is not closed yet.
    const isStorage = (error: unknown) => isOutage(error) && (Buffer.isBuffer(body) || !body.errored);
    return withOutageLog(this.outages, { name: WRITE, isOutage: isStorage, signal }, () =>
      this.objects.put(key, upload),
    );
  }

  async get(
    key: WorkspaceKey,
    conditions: ReadConditions,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified | undefined> {
    const read = await this.#observe(READ, () => this.objects.get(key, conditions, signal), signal);
    if (read && 'body' in read && !Buffer.isBuffer(read.body)) {
      read.body.once('error', (error) => {
        if (isOutage(error) && !signal.aborted) this.outages.failed(error, READ);
      });
    }
    return read;
  }

  head(key: WorkspaceKey): Promise<StoredObject | undefined> {
    return this.#observe(READ, () => this.objects.head(key));
  }

  list(prefix: WorkspacePrefix, options: ListOptions): Promise<ListPage> {
    return this.#observe(READ, () => this.objects.list(prefix, options));
  }

  delete(key: WorkspaceKey, etag?: string): Promise<void> {
    return this.#observe(WRITE, () => this.objects.delete(key, etag));
  }

  /** The signal is a timeout here, so an aborted call counts as an outage. */
  ready(signal: AbortSignal): Promise<void> {
    return this.#observe(READ, () => this.objects.ready(signal));
  }

  checkCompatibility(): Promise<readonly string[]> {
    return this.#observe(WRITE, () => this.objects.checkCompatibility());
  }

  abortIncompleteUploads(before: Date): Promise<number> {
    return this.#observe(WRITE, () => this.objects.abortIncompleteUploads(before));
  }

  #observe<T>(name: string, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withOutageLog(this.outages, { name, isOutage, signal }, call);
  }
}

function isOutage(error: unknown): boolean {
  return [StorageUnavailable, StorageFailed, StorageTimeout].some((kind) => error instanceof kind);
}
