import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
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
import type { WriteCondition } from '../../domain/conditions';
import { PreconditionFailed, RangeNotSatisfiable } from '../../domain/files.errors';
import type { WorkspaceKey, WorkspacePrefix } from '../../domain/workspace-key';

interface StoredBytes extends StoredObject {
  readonly bytes: Buffer;
}

/** Keeps objects in memory, for tests and experiments. Passes the same contract suite as the other adapters. */
export class InMemoryObjectStore extends ObjectStore {
  readonly #objects = new Map<string, StoredBytes>();

  constructor(private readonly now: () => Date = () => new Date()) {
    super();
  }

  async put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject> {
    const { body, signal } = upload;
    const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(await body.toArray({ signal }));
    signal.throwIfAborted();
    this.#check(key, upload.condition);
    const stored = {
      bytes,
      size: bytes.length,
      etag: `"${hash('md5', bytes)}"`,
      modifiedAt: this.now(),
      contentType: upload.contentType,
    };
    this.#objects.set(key, stored);
    return metadataOf(stored);
  }

  async get(key: WorkspaceKey, conditions: ReadConditions): Promise<ObjectRead | NotModified | undefined> {
    const stored = this.#objects.get(key);
    if (conditions.ifMatch !== undefined) this.#check(key, { etag: conditions.ifMatch });
    if (!stored) return undefined;
    if (conditions.ifNoneMatch === stored.etag) {
      return { notModified: true, etag: stored.etag };
    }
    const range = conditions.range === undefined ? undefined : parseRange(conditions.range, stored.size);
    const bytes = range ? stored.bytes.subarray(range.start, range.end + 1) : stored.bytes;
    return {
      ...metadataOf(stored),
      body: Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false }),
      length: bytes.length,
      ...(range ? { contentRange: `bytes ${range.start}-${range.end}/${stored.size}` } : {}),
    };
  }

  async head(key: WorkspaceKey): Promise<StoredObject | undefined> {
    const stored = this.#objects.get(key);
    return stored && metadataOf(stored);
  }

  async list(prefix: WorkspacePrefix, options: ListOptions): Promise<ListPage> {
    const objects = [];
    const directories: string[] = [];
    let last: string | undefined;
    for (const key of this.#sortedKeys(prefix)) {
      if (options.cursor !== undefined && !isAfter(key, options.cursor)) continue;
      const slash = options.delimiter === undefined ? -1 : key.indexOf(options.delimiter, prefix.length);
      const directory = slash < 0 ? undefined : key.slice(0, slash + 1);
      if (directory !== undefined && directory === directories.at(-1)) continue;
      if (objects.length + directories.length === options.limit) return { objects, directories, next: last as string };
      if (directory === undefined) objects.push({ key, ...metadataOf(this.#objects.get(key) as StoredBytes) });
      else directories.push(directory);
      last = directory ?? key;
    }
    return { objects, directories };
  }

  async delete(key: WorkspaceKey, etag?: string): Promise<void> {
    this.#check(key, etag === undefined ? undefined : { etag });
    this.#objects.delete(key);
  }

  async ready(): Promise<void> {
    return Promise.resolve();
  }

  async checkCompatibility(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async abortIncompleteUploads(): Promise<number> {
    return Promise.resolve(0);
  }

  #check(key: WorkspaceKey, condition: WriteCondition): void {
    if (condition === undefined) return;
    const etag = this.#objects.get(key)?.etag;
    if (etag !== ('etag' in condition ? condition.etag : undefined)) throw new PreconditionFailed(etag);
  }

  #sortedKeys(prefix: string): string[] {
    const keys = [...this.#objects.keys()].filter((key) => key.startsWith(prefix));
    return keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }
}

/** A cursor that names a directory is after every key in that directory. */
function isAfter(key: string, cursor: string): boolean {
  if (cursor.endsWith('/') && key.startsWith(cursor)) return false;
  return Buffer.compare(Buffer.from(key), Buffer.from(cursor)) > 0;
}

function metadataOf({ size, etag, modifiedAt, contentType }: StoredBytes): StoredObject {
  return { size, etag, modifiedAt, ...(contentType === undefined ? {} : { contentType }) };
}

function parseRange(range: string, size: number): { start: number; end: number } | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === '' && to === '') return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (start >= size || start > end) throw new RangeNotSatisfiable(size);
  return { start, end };
}
