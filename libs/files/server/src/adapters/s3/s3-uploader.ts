import type { Readable } from 'node:stream';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { UploadSource, type UploadAbortController, WRITE_TIMEOUT_MS } from '@homeport/platform/server/storage';
import type { MemoryBudget, MemoryShare } from '../../application/memory-budget';
import type { ObjectUpload } from '../../application/object-store.port';
import type { WriteCondition } from '../../domain/conditions';
import { rootOf, type WorkspaceKey } from '../../domain/workspace-key';
import { type Capabilities, conditionInput } from './capabilities';
import { nonEmptyEtag } from './entity-tags';
import { readBufferedPart, MultipartUpload, type UploadTarget, type WriteResult } from './multipart-upload';
import { withTimeout } from './s3-errors';

export interface S3UploaderOptions {
  /** Larger bodies are uploaded in parts. In bytes. */
  readonly multipartThresholdBytes: number;
  /** Must not retry: a conditional write whose first response was lost would fail on its own success. */
  readonly client: S3Client;
  readonly memory: MemoryBudget;
  readonly capabilities: () => Promise<Capabilities>;
  /** Checks the condition against the current version. @throws {PreconditionFailed} */
  readonly assertCondition: (key: WorkspaceKey, condition: NonNullable<WriteCondition>) => Promise<void>;
}

/** An upload whose body is a stream. */
export type StreamUpload = ObjectUpload & { readonly body: Readable };

/** Writes a stream to S3: in one request, or in parts. */
export class S3Uploader {
  constructor(private readonly options: S3UploaderOptions) {}

  /** @throws {unknown} the error of the SDK or of the body. */
  async write(target: UploadTarget, upload: StreamUpload, watch: UploadAbortController): Promise<WriteResult> {
    const { body, size, condition } = upload;
    const source = new UploadSource(body);
    if (size === undefined) return this.#writeOfUnknownSize(target, upload, source, watch);
    const mustBeSinglePut = condition !== undefined && !(await this.options.capabilities()).conditionalCompletion;
    return size <= this.options.multipartThresholdBytes || mustBeSinglePut
      ? this.#putStream(target, upload, source.stream(size, watch), watch)
      : this.#multipart(target, upload, watch).write(source);
  }

  /** Writes in one request when the body fits one part, otherwise in parts. */
  async #writeOfUnknownSize(
    target: UploadTarget,
    upload: ObjectUpload,
    source: UploadSource,
    watch: UploadAbortController,
  ): Promise<WriteResult> {
    const first = await readBufferedPart(source, this.#memoryFor(target, upload).newAllocation(), watch.signal);
    try {
      if (await source.isAtEnd()) return await this.#putWhole(target, upload, Buffer.concat(first.chunks));
      return await this.#multipart(target, upload, watch).write(source, first);
    } finally {
      first.release();
    }
  }

  #memoryFor({ Key }: UploadTarget, { memory }: Pick<ObjectUpload, 'memory'>): MemoryShare {
    return memory ?? this.options.memory.shareOf(rootOf(Key));
  }

  #multipart(
    target: UploadTarget,
    { contentType, size, condition, memory }: ObjectUpload,
    watch: UploadAbortController,
  ): MultipartUpload {
    const conditions = async () => {
      if (condition === undefined) return {};
      const capabilities = await this.options.capabilities();
      if (!capabilities.conditionalCompletion) await this.options.assertCondition(target.Key, condition);
      return conditionInput(condition, capabilities);
    };
    return new MultipartUpload(this.options.client, target, {
      contentType,
      size,
      conditions,
      watch,
      memory: this.#memoryFor(target, { memory }),
    });
  }

  async #putWhole(target: UploadTarget, upload: ObjectUpload, body: Buffer): Promise<WriteResult> {
    const command = await this.#putCommand(target, upload, { Body: body });
    const put = (abortSignal: AbortSignal) => this.options.client.send(command, { abortSignal });
    const { ETag } = await withTimeout(put, upload.signal, WRITE_TIMEOUT_MS);
    return { etag: nonEmptyEtag(ETag), size: body.length };
  }

  async #putStream(
    target: UploadTarget,
    upload: ObjectUpload,
    body: Readable,
    watch: UploadAbortController,
  ): Promise<WriteResult> {
    const size = upload.size as number;
    const command = await this.#putCommand(target, upload, { Body: body, ContentLength: size });
    const { ETag } = await this.options.client.send(command, { abortSignal: watch.signal });
    return { etag: nonEmptyEtag(ETag), size };
  }

  async #putCommand(
    target: UploadTarget,
    { contentType, condition }: ObjectUpload,
    body: { Body: Readable | Buffer; ContentLength?: number },
  ): Promise<PutObjectCommand> {
    const conditions = condition === undefined ? {} : conditionInput(condition, await this.options.capabilities());
    return new PutObjectCommand({ ...target, ...body, ContentType: contentType, ...conditions });
  }
}
