import type { Readable } from 'node:stream';
import type { WriteCondition } from '../domain/conditions';
import type { WorkspaceKey, WorkspacePrefix } from '../domain/workspace-key';
import type { MemoryShare } from './memory-budget';

/** What is known of an object without its bytes. */
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
  /** One quoted, strong tag: the version that is wanted. */
  readonly ifMatch?: string;
  /** One quoted, strong tag: the version that is known. */
  readonly ifNoneMatch?: string;
  /** A single byte range, such as `bytes=0-99`. */
  readonly range?: string;
}

export interface ObjectUpload {
  readonly body: Readable | Buffer;
  /** Bytes, when the client declared them. */
  readonly size?: number;
  readonly contentType: string;
  readonly condition: WriteCondition;
  /** Raised when the client leaves; what has not been stored by then stays as it was. */
  readonly signal: AbortSignal;
  /** Whose memory an adapter takes for parts; absent for uploads that come from no client. */
  readonly memory?: MemoryShare;
}

/** A read that went through; a body that is a stream must be consumed or destroyed. */
export interface ObjectRead extends StoredObject {
  readonly body: Readable | Buffer;
  /** Present for a part of the object. */
  readonly contentRange?: string;
  /** Bytes of this answer's body. */
  readonly length: number;
}

export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** Keys up to and including the delimiter, one for each directory of the level. */
  readonly directories: readonly string[];
  /** Hand it back to go on; absent on the last page. */
  readonly next?: string;
}

export interface ListOptions {
  readonly limit: number;
  readonly delimiter?: '/';
  readonly cursor?: string;
}

/**
 * Object storage. Every method takes keys that are proven to lie in one person's prefix.
 * All of them raise StorageUnavailable, StorageTimeout or StorageFailed besides what they name.
 */
export abstract class ObjectStore {
  /**
   * Writes an object whole or not at all. A body that fails leaves things as they were, and its error is raised.
   * @throws {PreconditionFailed}
   */
  abstract put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject>;

  /**
   * Opens an object for reading; undefined when there is none, `NotModified` when `ifNoneMatch` names what is there.
   * @throws {PreconditionFailed} @throws {RangeNotSatisfiable}
   */
  abstract get(
    key: WorkspaceKey,
    conditions: ReadConditions,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified | undefined>;

  /** What is known of an object; undefined when there is none. */
  abstract head(key: WorkspaceKey): Promise<StoredObject | undefined>;

  /** One page in ascending order of the keys' UTF-8 bytes. */
  abstract list(prefix: WorkspacePrefix, options: ListOptions): Promise<ListPage>;

  /** Removes an object; absent already is success, unless the version `etag` is. @throws {PreconditionFailed} */
  abstract delete(key: WorkspaceKey, etag?: string): Promise<void>;

  /** Resolves when the storage answers. */
  abstract ready(signal: AbortSignal): Promise<void>;

  /**
   * Finds out whether the storage keeps its promises, by trying. @returns what it cannot do and how it is made up for,
   * in words for the operator. @throws {StorageIncompatible}
   */
  abstract checkCompatibility(): Promise<readonly string[]>;

  /** Takes back uploads that were begun before then and never came to an end. @returns how many. */
  abstract abortIncompleteUploads(before: Date): Promise<number>;
}

/** The caller's copy is still good. */
export interface NotModified {
  readonly notModified: true;
  readonly etag: string;
}
