import type { Readable } from 'node:stream';
import type { WriteCondition } from '../domain/conditions';
import type { WorkspaceKey, WorkspacePrefix } from '../domain/workspace-key';
import type { MemoryShare } from './memory-budget';

/** Metadata of a stored object. */
export interface StoredObject {
  readonly size: number;
  /** Quoted, strong. */
  readonly etag: string;
  readonly modifiedAt: Date;
  readonly contentType?: string;
}

export interface ListedObject extends StoredObject {
  readonly key: string;
}

export interface ReadConditions {
  /** One quoted, strong tag: the required version. */
  readonly ifMatch?: string;
  /** One quoted, strong tag: the version that the caller has cached. */
  readonly ifNoneMatch?: string;
  /** A single byte range, such as `bytes=0-99`. */
  readonly range?: string;
}

export interface ObjectUpload {
  readonly body: Readable | Buffer;
  /** The declared size in bytes, if any. */
  readonly size?: number;
  readonly contentType: string;
  readonly condition: WriteCondition;
  /** Aborted when the client disconnects; the stored object then stays unchanged. */
  readonly signal: AbortSignal;
  /** The share from which an adapter allocates memory for parts; absent for uploads without a client. */
  readonly memory?: MemoryShare;
}

/** A successful read. A stream must be consumed or destroyed. */
export interface ObjectRead extends StoredObject {
  readonly body: Readable | Buffer;
  /** Present for a part of the object. */
  readonly contentRange?: string;
  /** The length of `body` in bytes. */
  readonly length: number;
}

export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** The directories of the level: key prefixes up to and including the delimiter. */
  readonly directories: readonly string[];
  /** The cursor of the next page; absent on the last page. */
  readonly next?: string;
}

export interface ListOptions {
  readonly limit: number;
  readonly delimiter?: '/';
  readonly cursor?: string;
}

/**
 * Object storage. Every key is proven to be in one user's prefix.
 * Besides the listed errors, every method can throw StorageUnavailable, StorageTimeout and StorageFailed.
 */
export abstract class ObjectStore {
  /**
   * Writes an object atomically. If the body fails, the stored object stays unchanged and the body's error is thrown.
   * @throws {PreconditionFailed}
   */
  abstract put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject>;

  /**
   * Opens an object for reading.
   * @returns undefined when the object does not exist, `NotModified` when `ifNoneMatch` matches the current version.
   * @throws {PreconditionFailed} @throws {RangeNotSatisfiable}
   */
  abstract get(
    key: WorkspaceKey,
    conditions: ReadConditions,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified | undefined>;

  /** Returns the metadata of an object; undefined when the object does not exist. */
  abstract head(key: WorkspaceKey): Promise<StoredObject | undefined>;

  /** Returns one page in ascending order of the keys' UTF-8 bytes. */
  abstract list(prefix: WorkspacePrefix, options: ListOptions): Promise<ListPage>;

  /**
   * Deletes an object. Succeeds if the object does not exist, unless `etag` is given.
   * @throws {PreconditionFailed} when `etag` is not the current version.
   */
  abstract delete(key: WorkspaceKey, etag?: string): Promise<void>;

  /** Resolves when storage responds. */
  abstract ready(signal: AbortSignal): Promise<void>;

  /**
   * Tests whether storage supports the required features.
   * @returns limitations and their workarounds, as phrases for the log: "The storage …".
   * @throws {StorageIncompatible} when conditional writes do not work.
   */
  abstract checkCompatibility(): Promise<readonly string[]>;

  /** Aborts incomplete uploads that started before a date. @returns the number of aborted uploads. */
  abstract abortIncompleteUploads(before: Date): Promise<number>;
}

/** The caller's cached version is current. */
export interface NotModified {
  readonly notModified: true;
  readonly etag: string;
}
