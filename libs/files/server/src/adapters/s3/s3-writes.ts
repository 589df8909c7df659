import type { Readable } from 'node:stream';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { UploadSource, type UploadWatch, WRITE_LIMIT_MS } from '@homeport/platform/server';
import type { MemoryBudget, MemoryShare } from '../../application/memory-budget';
import type { ObjectUpload } from '../../application/object-store.port';
import type { WriteCondition } from '../../domain/conditions';
import { rootOf, type WorkspaceKey } from '../../domain/workspace-key';
import { type Capabilities, conditionInput } from './capabilities';
import { statedTag } from './entity-tags';
import { heldPartOf, MultipartUpload, type UploadTarget, type Written } from './multipart-upload';
import { inTime } from './time-limit';

export interface WriteTools {
  /** Larger bodies go in parts. */
  readonly onePieceBytes: number;
  /** It must not repeat anything: a conditional write whose answer got lost would fail on its own success. */
  readonly client: S3Client;
  readonly memory: MemoryBudget;
  readonly capabilities: () => Promise<Capabilities>;
  /** Looks whether the condition holds now. @throws {PreconditionFailed} */
  readonly demand: (key: WorkspaceKey, condition: NonNullable<WriteCondition>) => Promise<void>;
}

/** In which way a body goes to S3: at once, as a stream, or in parts. */
export class S3Writes {
  constructor(private readonly tools: WriteTools) {}

  /** @throws {unknown} what the SDK or the body fails with. */
  async write(target: UploadTarget, upload: ObjectUpload, watch: UploadWatch): Promise<Written> {
    const { body, size, condition } = upload;
    if (Buffer.isBuffer(body)) return this.#putWhole(target, upload, body);
    const source = new UploadSource(body);
    if (size === undefined) return this.#writeOfUnknownSize(target, upload, source, watch);
    const mustBeOnePiece = condition !== undefined && !(await this.tools.capabilities()).conditionalCompletion;
    return size <= this.tools.onePieceBytes || mustBeOnePiece
      ? this.#putStream(target, upload, source.through(size, watch), watch)
      : this.#multipart(target, upload, watch).write(source);
  }

  /** At once when all of it fits one part, otherwise in parts. */
  async #writeOfUnknownSize(
    target: UploadTarget,
    upload: ObjectUpload,
    source: UploadSource,
    watch: UploadWatch,
  ): Promise<Written> {
    const first = await heldPartOf(source, this.#memoryFor(target, upload).begin(), watch.signal);
    try {
      if (await source.isAtEnd()) return await this.#putWhole(target, upload, Buffer.concat(first.chunks));
      return await this.#multipart(target, upload, watch).write(source, first);
    } finally {
      first.release();
    }
  }

  #memoryFor({ Key }: UploadTarget, { memory }: Pick<ObjectUpload, 'memory'>): MemoryShare {
    return memory ?? this.tools.memory.shareOf(rootOf(Key));
  }

  #multipart(
    target: UploadTarget,
    { contentType, size, condition, memory }: ObjectUpload,
    watch: UploadWatch,
  ): MultipartUpload {
    const conditions = async () => {
      if (condition === undefined) return {};
      const capabilities = await this.tools.capabilities();
      if (!capabilities.conditionalCompletion) await this.tools.demand(target.Key, condition);
      return conditionInput(condition, capabilities);
    };
    return new MultipartUpload(this.tools.client, target, {
      contentType,
      size,
      conditions,
      watch,
      memory: this.#memoryFor(target, { memory }),
    });
  }

  async #putWhole(target: UploadTarget, upload: ObjectUpload, body: Buffer): Promise<Written> {
    const command = await this.#putCommand(target, upload, { Body: body });
    const put = (abortSignal: AbortSignal) => this.tools.client.send(command, { abortSignal });
    const { ETag } = await inTime(put, upload.signal, WRITE_LIMIT_MS);
    return { etag: statedTag(ETag), size: body.length };
  }

  async #putStream(target: UploadTarget, upload: ObjectUpload, body: Readable, watch: UploadWatch): Promise<Written> {
    const size = upload.size as number;
    const command = await this.#putCommand(target, upload, { Body: body, ContentLength: size });
    const { ETag } = await this.tools.client.send(command, { abortSignal: watch.signal });
    return { etag: statedTag(ETag), size };
  }

  async #putCommand(
    target: UploadTarget,
    { contentType, condition }: ObjectUpload,
    body: { Body: Readable | Buffer; ContentLength?: number },
  ): Promise<PutObjectCommand> {
    const conditions = condition === undefined ? {} : conditionInput(condition, await this.tools.capabilities());
    return new PutObjectCommand({ ...target, ...body, ContentType: contentType, ...conditions });
  }
}
