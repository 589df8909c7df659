import type { FileListing } from '@homeport/files/contracts';
import type { Actor } from '@homeport/identity/contracts';
import { matchesETagStrongly, matchesETagWeakly } from '@homeport/kernel';
import { isAtMostOneTag, matchesIfRange, type RequestConditions, evaluatePreconditions } from '../domain/conditions';
import { CursorRejected, FileMissing, PreconditionFailed } from '../domain/files.errors';
import { pathIn, type WorkspaceKey, workspaceKey, workspacePrefix, workspaceRoot } from '../domain/workspace-key';
import { assertReachable, confinedTo, type ReadableObjects } from './confined-object-store';
import { entryOf } from './file-entries';
import { FileWriter, type WriteRequest, type WriterOptions, type WrittenFile } from './file-writer';
import { type ListingCursors } from './listing-cursors';
import type {
  ListedObject,
  NotModified,
  ObjectRead,
  ObjectStore,
  ReadConditions,
  StoredObject,
} from './object-store.port';

/** Limits of the scan for the newest files, in keys and milliseconds. Beyond them, the listing is `truncated`. */
const MAX_SCANNED = 20_000;
const MAX_SCAN_MS = 1_000;
const PAGE = 1_000;

export interface ListRequest {
  readonly prefix: string;
  readonly limit: number;
  readonly delimiter?: '/';
  readonly cursor?: string;
}

export interface ReadRequest extends RequestConditions {
  /** A single byte range, such as `bytes=0-99`. */
  readonly range?: string;
  /** The tag or date of the version that `range` applies to; any other version is returned whole. */
  readonly ifRange?: string;
}

export interface WorkspaceOptions extends WriterOptions {
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** A user's files. Every path becomes a `WorkspaceKey`, which confines every user to their own prefix. */
export class Workspace {
  readonly #writer: FileWriter;
  readonly #now: () => number;

  constructor(
    private readonly objects: ObjectStore,
    private readonly cursors: ListingCursors,
    { now = () => performance.now(), ...options }: WorkspaceOptions,
  ) {
    this.#writer = new FileWriter(objects, options);
    this.#now = now;
  }

  /** Lists one page in key order. @throws {FilePathRejected} @throws {CursorRejected} */
  async list(owner: Actor, request: ListRequest): Promise<FileListing> {
    const root = workspaceRoot(owner);
    const prefix = workspacePrefix(root, request.prefix);
    const scope = `${prefix}\n${request.delimiter ?? ''}`;
    const after = request.cursor === undefined ? undefined : this.cursors.open(request.cursor, scope);
    if (request.cursor !== undefined && after === undefined) throw new CursorRejected();
    const page = await confinedTo(owner, this.objects).list(prefix, {
      limit: request.limit,
      ...(request.delimiter === undefined ? {} : { delimiter: request.delimiter }),
      ...(after === undefined ? {} : { cursor: after }),
    });
    return {
      items: page.objects.map((object) => entryOf(pathIn(root, object.key), object)),
      directories: page.directories.map((directory) => pathIn(root, directory)),
      next_cursor: page.next === undefined ? null : this.cursors.seal(page.next, scope),
      truncated: false,
    };
  }

  /** Lists the newest files under a prefix in bounded memory and time; `truncated` when the scan was incomplete. */
  async newest(owner: Actor, prefix: string, limit: number): Promise<FileListing> {
    const end = this.#now() + MAX_SCAN_MS;
    const root = workspaceRoot(owner);
    const scope = workspacePrefix(root, prefix);
    const objects = confinedTo(owner, this.objects);
    let newest: ListedObject[] = [];
    let scanned = 0;
    let cursor: string | undefined;
    do {
      const page = await objects.list(scope, { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      scanned += page.objects.length;
      newest = [...newest, ...page.objects].toSorted(newestFirst).slice(0, limit);
      cursor = page.next;
    } while (cursor !== undefined && scanned < MAX_SCANNED && this.#now() < end);
    return {
      items: newest.map((object) => entryOf(pathIn(root, object.key), object)),
      directories: [],
      next_cursor: null,
      truncated: cursor !== undefined,
    };
  }

  /** @throws {FilePathRejected} @throws {FileMissing} @throws {PreconditionFailed} @throws {RangeNotSatisfiable} */
  async read(
    owner: Actor,
    rawPath: string,
    request: ReadRequest,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified> {
    if (!isAtMostOneTag(request.ifNoneMatch)) return this.#readUnlessNotModified(owner, rawPath, request, signal);
    const key = workspaceKey(workspaceRoot(owner), rawPath);
    const objects = confinedTo(owner, this.objects);
    try {
      const found = await objects.get(key, await readConditionsFor(objects, key, request), signal);
      if (!found) throw new FileMissing();
      return found;
    } catch (error) {
      const { ifMatch, ifNoneMatch, ifRange } = request;
      // Read the whole file only when the failed condition came from `If-Range`. The retry has none, so it cannot loop.
      const isFromIfRange = ifMatch === undefined && ifRange !== undefined;
      if (!isFromIfRange || !(error instanceof PreconditionFailed)) throw error;
      return this.read(owner, rawPath, ifNoneMatch === undefined ? {} : { ifNoneMatch }, signal);
    }
  }

  /** S3 endpoints interpret lists, weak tags and `*` differently, so the metadata is compared here first. */
  async #readUnlessNotModified(
    owner: Actor,
    rawPath: string,
    { ifNoneMatch, ...rest }: ReadRequest,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified> {
    const { ifMatch } = rest;
    const found = await this.describe(owner, rawPath, {
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    });
    return 'notModified' in found ? found : this.read(owner, rawPath, rest, signal);
  }

  /** Returns the metadata of a file. @throws {FilePathRejected} @throws {FileMissing} @throws {PreconditionFailed} */
  async describe(
    owner: Actor,
    rawPath: string,
    { ifMatch, ifNoneMatch }: RequestConditions,
  ): Promise<StoredObject | NotModified> {
    const found = await confinedTo(owner, this.objects).head(workspaceKey(workspaceRoot(owner), rawPath));
    if (ifMatch !== undefined && !matchesETagStrongly(ifMatch, found?.etag)) throw new PreconditionFailed(found?.etag);
    if (!found) throw new FileMissing();
    return ifNoneMatch !== undefined && matchesETagWeakly(ifNoneMatch, found.etag)
      ? { notModified: true, etag: found.etag }
      : found;
  }

  /**
   * @throws {FilePathRejected} @throws {PathOutsideToken} @throws {FileTooLarge} @throws {PreconditionFailed}
   * @throws {DigestMismatch}
   */
  write(owner: Actor, rawPath: string, request: WriteRequest): Promise<WrittenFile> {
    return this.#writer.write(owner, rawPath, request);
  }

  /**
   * Deletes a file. Succeeds if it does not exist, unless a condition requires it.
   * @throws {FilePathRejected} @throws {PathOutsideToken} @throws {PreconditionFailed}
   */
  async delete(owner: Actor, rawPath: string, conditions: RequestConditions): Promise<void> {
    const key = workspaceKey(workspaceRoot(owner), rawPath);
    assertReachable(owner, key);
    if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return this.objects.delete(key);
    const etag = (await this.objects.head(key))?.etag;
    evaluatePreconditions(conditions, etag);
    if (etag !== undefined) await this.objects.delete(key, etag);
  }
}

function newestFirst(a: ListedObject, b: ListedObject): number {
  return b.modifiedAt.getTime() - a.modifiedAt.getTime() || (a.key < b.key ? -1 : 1);
}

/** Reduces conditions to the single tag that storage supports; callers can send several tags or `If-Range`. */
async function readConditionsFor(
  objects: ReadableObjects,
  key: WorkspaceKey,
  { ifMatch, ifRange, range, ...rest }: ReadRequest,
): Promise<ReadConditions> {
  if (ifMatch === undefined && (ifRange === undefined || range === undefined)) {
    return { ...rest, ...(range === undefined ? {} : { range }) };
  }
  const current = await objects.head(key);
  if (!current && ifMatch === undefined) throw new FileMissing();
  if (!current || (ifMatch !== undefined && !matchesETagStrongly(ifMatch, current.etag))) {
    throw new PreconditionFailed(current?.etag);
  }
  const isRangeOfCurrent = range !== undefined && (ifRange === undefined || matchesIfRange(ifRange, current));
  return { ...rest, ifMatch: current.etag, ...(isRangeOfCurrent ? { range } : {}) };
}
