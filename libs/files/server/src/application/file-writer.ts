import type { Readable } from 'node:stream';
import type { FileEntry } from '@homeport/files/contracts';
import type { Actor } from '@homeport/identity/contracts';
import { writeConditionFromHeaders, type RequestConditions, evaluatePreconditions } from '../domain/conditions';
import { contentTypeFor } from '../domain/content-type';
import type { Digest } from '../domain/digests';
import { FileTooLarge, PreconditionFailed } from '../domain/files.errors';
import { pathIn, rootOf, type WorkspaceKey, workspaceKey, workspaceRoot } from '../domain/workspace-key';
import { assertReachable } from './confined-object-store';
import { entryOf } from './file-entries';
import type { MemoryBudget } from './memory-budget';
import type { ObjectStore, ObjectUpload, StoredObject } from './object-store.port';
import { verifyBody, bufferBody } from './upload-body';
import { UploadRateMonitor } from './upload-rate-monitor';

/** Bodies up to this size are buffered, so their write can be retried. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export interface WriteRequest {
  /** Opens the body. Called once, after all checks that do not need the bytes. */
  readonly openBody: () => Readable;
  /** Whether the client sent `Expect` and waits for 100 Continue before it sends the body. */
  readonly expectsContinue: boolean;
  /** The declared size in bytes, if any. */
  readonly size?: number;
  readonly contentType?: string;
  readonly digests: readonly Digest[];
  readonly conditions: RequestConditions;
  readonly signal: AbortSignal;
}

export interface WrittenFile {
  readonly entry: FileEntry;
  readonly created: boolean;
}

interface Outcome {
  readonly stored: StoredObject;
  readonly created: boolean;
}

type UploadContext = Pick<ObjectUpload, 'contentType' | 'signal' | 'memory'>;

/** Caches the tags of recent writes. Other instances write the same files, so storage must confirm each tag. */
export interface ETagCache {
  get(key: WorkspaceKey): string | undefined;
  set(key: WorkspaceKey, etag: string): unknown;
}

export interface WriterOptions {
  /** The largest file, in bytes. */
  readonly maxBytes: number;
  readonly tags: ETagCache;
  /** Shared by all uploads. */
  readonly memory: MemoryBudget;
}

/** Writes files with few storage calls, and reports correctly whether each one was created or replaced. */
export class FileWriter {
  constructor(
    private readonly objects: ObjectStore,
    private readonly options: WriterOptions,
  ) {}

  /**
   * @throws {FilePathRejected} @throws {PathOutsideToken} @throws {FileTooLarge} @throws {PreconditionFailed}
   * @throws {DigestMismatch}
   */
  async write(owner: Actor, rawPath: string, request: WriteRequest): Promise<WrittenFile> {
    const root = workspaceRoot(owner);
    const key = workspaceKey(root, rawPath);
    assertReachable(owner, key);
    if (request.size !== undefined && request.size > this.options.maxBytes) {
      throw new FileTooLarge(this.options.maxBytes);
    }
    const path = pathIn(root, key);
    const context = { contentType: contentTypeFor(path, request.contentType), signal: request.signal };
    const { stored, created } = await this.#write(key, request, context);
    this.options.tags.set(key, stored.etag);
    return { entry: entryOf(path, stored), created };
  }

  async #write(key: WorkspaceKey, request: WriteRequest, context: UploadContext): Promise<Outcome> {
    const { size } = request;
    const isSmall = size !== undefined && size <= MAX_BUFFERED_BYTES && !request.expectsContinue;
    const sender = new UploadRateMonitor();
    const memory = this.options.memory.shareOf(rootOf(key), sender);
    const release = isSmall ? memory.tryAllocate(size) : undefined;
    if (size === undefined || !release) return this.#writeStreamed(key, { ...request, sender }, { ...context, memory });
    try {
      const body = await bufferBody(request.openBody(), { digests: request.digests, sender });
      return await this.#writeBuffered(key, request.conditions, { ...context, body, size });
    } finally {
      release();
    }
  }

  /** Reads the file's metadata first, because streamed bytes cannot be sent again. */
  async #writeStreamed(
    key: WorkspaceKey,
    request: WriteRequest & { readonly sender: UploadRateMonitor },
    context: UploadContext,
  ): Promise<Outcome> {
    const before = await this.objects.head(key);
    request.signal.throwIfAborted();
    const condition = evaluatePreconditions(request.conditions, before?.etag);
    const body = verifyBody(request.openBody(), { ...request, maxBytes: this.options.maxBytes });
    const size = request.size === undefined ? {} : { size: request.size };
    const stored = await this.objects.put(key, { ...context, ...size, body, condition });
    return { stored, created: before === undefined };
  }

  async #writeBuffered(
    key: WorkspaceKey,
    conditions: RequestConditions,
    upload: Omit<ObjectUpload, 'condition'>,
  ): Promise<Outcome> {
    const fromHeaders = writeConditionFromHeaders(conditions);
    if (fromHeaders && fromHeaders.condition === undefined) return this.#writeUnconditionally(key, upload);
    const condition = fromHeaders
      ? fromHeaders.condition
      : evaluatePreconditions(conditions, (await this.objects.head(key))?.etag);
    const stored = await this.objects.put(key, { ...upload, condition });
    return { stored, created: condition !== undefined && 'absent' in condition };
  }

  /**
   * The response must say whether the file is new. A write under a guessed condition answers that in one request; only
   * a wrong guess needs a second, unconditional write.
   */
  async #writeUnconditionally(key: WorkspaceKey, upload: Omit<ObjectUpload, 'condition'>): Promise<Outcome> {
    const etag = this.options.tags.get(key);
    const guess = etag === undefined ? ({ absent: true } as const) : { etag };
    try {
      const stored = await this.objects.put(key, { ...upload, condition: guess });
      return { stored, created: etag === undefined };
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
      const stored = await this.objects.put(key, { ...upload, condition: undefined });
      return { stored, created: error.etag === undefined };
    }
  }
}
