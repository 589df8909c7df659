import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type UploadSource, type UploadAbortController, WRITE_TIMEOUT_MS } from '@homeport/platform/server';
import type { MemoryShare, GrowableAllocation, Release } from '../../application/memory-budget';
import { StorageTimeout } from '../../domain/files.errors';
import type { WorkspaceKey } from '../../domain/workspace-key';
import { multipartEtag, nonEmptyEtag } from './entity-tags';
import { withTimeout } from './storage-timeout';

export const PART_BYTES = 8 * 1024 * 1024;
/** Memory is taken in such steps; a part is a whole number of them. */
const STEP_BYTES = 256 * 1024;
const PARTS_IN_FLIGHT = 2;
const PART_TRIES = 2;
/** Some storages copy every part when they join them. */
const COMPLETION_BYTES_PER_MS = 16 * 1024;

/** What a write is known to have stored. */
export interface WriteResult {
  readonly etag: string | undefined;
  /** Bytes. */
  readonly size: number;
}

/** A part in memory that was taken from the budget. */
export interface BufferedPart {
  readonly chunks: readonly Buffer[];
  /** Whether all of the part is there, or all that the source had. */
  readonly isWhole: boolean;
  readonly release: Release;
}

export interface UploadTarget {
  readonly Bucket: string;
  readonly Key: WorkspaceKey;
}

export interface MultipartOptions {
  readonly contentType: string;
  /** Bytes; absent when nobody knows. */
  readonly size?: number | undefined;
  readonly memory: MemoryShare;
  readonly watch: UploadAbortController;
  /** The conditions of the completion, asked for when everything else is done. */
  readonly conditions: () => Promise<{ IfMatch?: string; IfNoneMatch?: string }>;
}

/**
 * Writes a body in parts, which stay invisible until all of them are there. As long as the memory budget lasts, parts
 * are held: two of them can then be on their way while a third one arrives, and one that fails is sent again. Beyond
 * it, a part is handed through at the pace of the client; where its size is not known, it waits for memory.
 */
export class MultipartUpload {
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #parts: CompletedPart[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #uploadId: string | undefined;
  #size = 0;

  constructor(
    private readonly client: S3Client,
    private readonly target: UploadTarget,
    private readonly options: MultipartOptions,
  ) {
    this.#signal = AbortSignal.any([options.watch.signal, this.#stop.signal]);
  }

  /** @param first the part that has been taken from the source already. @returns tag and size of what was stored. */
  async write(source: UploadSource, first?: BufferedPart): Promise<WriteResult> {
    const begin = new CreateMultipartUploadCommand({ ...this.target, ContentType: this.options.contentType });
    // Not broken off when the client leaves: an upload whose id got lost could not be taken back.
    const { UploadId } = await withTimeout((abortSignal) => this.client.send(begin, { abortSignal }));
    this.#uploadId = UploadId;
    try {
      this.#signal.throwIfAborted();
      await this.#writeParts(source, first);
      return { etag: await this.#complete(), size: this.#size };
    } catch (error) {
      await this.#takeBack();
      throw error;
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
    await Promise.all(this.#inFlight);
  }

  /** Resolves when the part is on its way. */
  async #uploadBufferedPart(number: number, { chunks, release }: BufferedPart): Promise<void> {
    try {
      while (this.#inFlight.size >= PARTS_IN_FLIGHT) await Promise.race(this.#inFlight);
    } catch (error) {
      release();
      throw error;
    }
    const sent = this.#sendBufferedPart(number, chunks).finally(release);
    this.#inFlight.add(sent);
    // Whoever waits for the set hears of a failure; this only keeps it from being taken for one nobody handles.
    sent.then(
      () => this.#inFlight.delete(sent),
      () => undefined,
    );
  }

  async #sendBufferedPart(number: number, chunks: readonly Buffer[]): Promise<void> {
    const size = sizeOf(chunks);
    for (let tries = 1; ; tries += 1) {
      try {
        const send = (signal: AbortSignal) =>
          this.#send(number, Readable.from(chunks, { objectMode: false }), size, signal);
        return await withTimeout(send, this.#signal, WRITE_TIMEOUT_MS);
      } catch (error) {
        // Whoever was silent for the whole time does not get it twice.
        const isLate = error instanceof StorageTimeout;
        if (tries === PART_TRIES || isLate || this.#signal.aborted) throw error;
      }
    }
  }

  /** A part that found no more memory half-way goes on as it comes, at the pace of the client. */
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
    const end = new CompleteMultipartUploadCommand({
      ...this.target,
      UploadId: this.#uploadId,
      MultipartUpload: { Parts: this.#parts },
      ...conditions,
    });
    const complete = (abortSignal: AbortSignal) => this.client.send(end, { abortSignal });
    const { ETag } = await withTimeout(complete, this.#signal, WRITE_TIMEOUT_MS + this.#size / COMPLETION_BYTES_PER_MS);
    // A HEAD instead could answer with the tag of another writer, whose version a later If-Match would then overwrite.
    return nonEmptyEtag(ETag) ?? multipartEtag(this.#parts.map((part) => part.ETag ?? ''));
  }

  /** What it leaves behind when it fails too, `abortIncompleteUploads` finds; the failure that led here matters more. */
  async #takeBack(): Promise<void> {
    this.#stop.abort();
    // A part that arrives after the end would stay for ever.
    await Promise.allSettled(this.#inFlight);
    const undo = new AbortMultipartUploadCommand({ ...this.target, UploadId: this.#uploadId });
    await withTimeout((abortSignal) => this.client.send(undo, { abortSignal })).catch(() => undefined);
  }
}

/**
 * The next part, in memory.
 * @param waiting for whom to wait when there is no more memory; without it the part ends there.
 * @throws {unknown} what the source or the wait fails with.
 */
export async function readBufferedPart(
  source: UploadSource,
  memory: GrowableAllocation,
  waiting?: AbortSignal,
): Promise<BufferedPart> {
  const chunks: Buffer[] = [];
  try {
    for (let size = 0; size < PART_BYTES && !(await source.isAtEnd()); size = sizeOf(chunks)) {
      if (waiting) await memory.grow(STEP_BYTES, waiting);
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
