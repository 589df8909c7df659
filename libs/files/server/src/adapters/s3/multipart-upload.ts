import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { combinedSignal } from '@homeport/kernel/node';
import { retry, WorkPool } from '@homeport/kernel';
import { type UploadSource, type UploadAbortController, WRITE_TIMEOUT_MS } from '@homeport/platform/server/storage';
import type { MemoryShare, GrowableAllocation, Release } from '../../application/memory-budget';
import { StorageTimeout } from '../../domain/files.errors';
import type { WorkspaceKey } from '../../domain/workspace-key';
import { multipartEtag, nonEmptyEtag } from './entity-tags';
import { withTimeout } from './s3-errors';

export const PART_BYTES = 8 * 1024 * 1024;
/** Memory is allocated in steps of this size; `PART_BYTES` is a multiple of it. */
const STEP_BYTES = 256 * 1024;
const PARTS_IN_FLIGHT = 2;
const MAX_PART_ATTEMPTS = 2;
/** Some S3 endpoints copy every part on completion, so the timeout grows with the size. */
const COMPLETION_BYTES_PER_MS = 16 * 1024;

/** The result of a write. */
export interface WriteResult {
  readonly etag: string | undefined;
  /** In bytes. */
  readonly size: number;
}

/** A part in memory, allocated from the memory budget. */
export interface BufferedPart {
  readonly chunks: readonly Buffer[];
  /** False when the part ends early for lack of memory. */
  readonly isWhole: boolean;
  readonly release: Release;
}

export interface UploadTarget {
  readonly Bucket: string;
  readonly Key: WorkspaceKey;
}

export interface MultipartOptions {
  readonly contentType: string;
  /** In bytes; absent when unknown. */
  readonly size?: number | undefined;
  readonly memory: MemoryShare;
  readonly watch: UploadAbortController;
  /** Conditions of the completion; called after all parts are uploaded. */
  readonly conditions: () => Promise<{ IfMatch?: string; IfNoneMatch?: string }>;
}

/**
 * Writes a body in parts, which stay invisible until the upload completes. While the memory budget lasts, parts are
 * buffered: two can be in flight while a third arrives, and a failed part is retried. Without memory, a part of known
 * size is streamed at the rate of the client, and a part of unknown size waits for memory.
 */
export class MultipartUpload {
  readonly #abortController = new AbortController();
  readonly #signal: AbortSignal;
  readonly #parts: CompletedPart[] = [];
  readonly #inFlight = new WorkPool(PARTS_IN_FLIGHT);
  #uploadId: string | undefined;
  #size = 0;

  constructor(
    private readonly client: S3Client,
    private readonly target: UploadTarget,
    private readonly options: MultipartOptions,
  ) {
    this.#signal = combinedSignal(options.watch.signal, this.#abortController.signal);
  }

  /** @param first the part already read from the source. @returns entity tag and size of the stored object. */
  async write(source: UploadSource, first?: BufferedPart): Promise<WriteResult> {
    const create = new CreateMultipartUploadCommand({ ...this.target, ContentType: this.options.contentType });
    // Not aborted when the client disconnects: an upload with an unknown id could not be aborted.
    const { UploadId } = await withTimeout((abortSignal) => this.client.send(create, { abortSignal }));
    this.#uploadId = UploadId;
    try {
      this.#signal.throwIfAborted();
      await this.#writeParts(source, first);
      return { etag: await this.#complete(), size: this.#size };
    } catch (error) {
      // A failed part aborts the others, whose errors only follow from it.
      const { signal } = this.#abortController;
      const cause: unknown = signal.aborted ? signal.reason : error;
      await this.#abort();
      throw cause;
    }
  }

  async #writeParts(source: UploadSource, first?: BufferedPart): Promise<void> {
    if (first) await this.#uploadBufferedPart(1, first);
    for (let number = first ? 2 : 1; !(await source.isAtEnd()); number += 1) {
      const { memory, size } = this.options;
      const part = await readBufferedPart(
        source,
        memory.newAllocation(),
        size === undefined ? this.#signal : undefined,
      );
      if (part.isWhole) await this.#uploadBufferedPart(number, part);
      else await this.#uploadStreamedPart(number, source, part);
    }
    await this.#inFlight.end();
  }

  /** Resolves when the part is in flight. */
  async #uploadBufferedPart(number: number, { chunks, release }: BufferedPart): Promise<void> {
    try {
      await this.#inFlight.start(() => this.#sendBufferedPart(number, chunks).finally(release));
    } catch (error) {
      release();
      throw error;
    }
  }

  async #sendBufferedPart(number: number, chunks: readonly Buffer[]): Promise<void> {
    const size = sizeOf(chunks);
    const send = (signal: AbortSignal) =>
      this.#send(number, Readable.from(chunks, { objectMode: false }), size, signal);
    try {
      await retry(() => withTimeout(send, this.#signal, WRITE_TIMEOUT_MS), {
        attempts: MAX_PART_ATTEMPTS,
        isRetryable: (error) => !(error instanceof StorageTimeout) && !this.#signal.aborted,
      });
    } catch (error) {
      this.#abortController.abort(error);
      throw error;
    }
  }

  /** Streams a part that ran out of memory, at the rate of the client. */
  async #uploadStreamedPart(number: number, source: UploadSource, { chunks, release }: BufferedPart): Promise<void> {
    const size = Math.min(PART_BYTES, (this.options.size as number) - this.#sizeBefore(number));
    try {
      await this.#send(number, source.stream(size, this.options.watch, chunks), size, this.#signal);
    } finally {
      release();
    }
    this.options.watch.resumed();
  }

  #sizeBefore(number: number): number {
    return (number - 1) * PART_BYTES;
  }

  async #send(number: number, body: Readable, size: number, abortSignal: AbortSignal): Promise<void> {
    const part = { ...this.target, UploadId: this.#uploadId, PartNumber: number };
    const command = new UploadPartCommand({ ...part, Body: body, ContentLength: size });
    const { ETag } = await this.client.send(command, { abortSignal });
    this.#parts[number - 1] = { PartNumber: number, ETag };
    this.#size += size;
  }

  async #complete(): Promise<string> {
    const conditions = await this.options.conditions();
    const completion = new CompleteMultipartUploadCommand({
      ...this.target,
      UploadId: this.#uploadId,
      MultipartUpload: { Parts: this.#parts },
      ...conditions,
    });
    const complete = (abortSignal: AbortSignal) => this.client.send(completion, { abortSignal });
    const { ETag } = await withTimeout(complete, this.#signal, WRITE_TIMEOUT_MS + this.#size / COMPLETION_BYTES_PER_MS);
    // A HEAD could return the tag of another writer, whose version a later If-Match would then overwrite.
    return nonEmptyEtag(ETag) ?? multipartEtag(this.#parts.map((part) => part.ETag ?? ''));
  }

  /** Best effort: the original failure matters more, and `abortIncompleteUploads` removes any leftovers. */
  async #abort(): Promise<void> {
    this.#abortController.abort();
    // Storage would never remove a part that arrives after the abort.
    await this.#inFlight.end().catch(() => undefined);
    const abort = new AbortMultipartUploadCommand({ ...this.target, UploadId: this.#uploadId });
    await withTimeout((abortSignal) => this.client.send(abort, { abortSignal })).catch(() => undefined);
  }
}

/**
 * Reads the next part into memory.
 * @param waitSignal aborts the wait for free memory; without it, the part ends when memory runs out.
 * @throws {unknown} the error of the source or of the wait.
 */
export async function readBufferedPart(
  source: UploadSource,
  memory: GrowableAllocation,
  waitSignal?: AbortSignal,
): Promise<BufferedPart> {
  const chunks: Buffer[] = [];
  try {
    for (let size = 0; size < PART_BYTES && !(await source.isAtEnd()); size = sizeOf(chunks)) {
      if (waitSignal) await memory.grow(STEP_BYTES, waitSignal);
      else if (!memory.tryGrow(STEP_BYTES)) return { chunks, isWhole: false, release: memory.release };
      chunks.push(...(await source.readChunks(STEP_BYTES)));
    }
    return { chunks, isWhole: true, release: memory.release };
  } catch (error) {
    memory.release();
    throw error;
  }
}

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
