import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  checkBucket,
  BODY_IDLE_MS,
  clientFor,
  endedWhenIdle,
  isAbsence,
  statusIn,
  UploadWatch,
} from '@homeport/platform/server';
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
import type { MemoryBudget } from '../../application/memory-budget';
import type { WriteCondition } from '../../domain/conditions';
import { PreconditionFailed, RangeNotSatisfiable, StorageFailed, StorageUnsafe } from '../../domain/files.errors';
import type { WorkspaceKey, WorkspacePrefix } from '../../domain/workspace-key';
import { type Capabilities, shortfallsOf } from './capabilities';
import { statedTag } from './entity-tags';
import { capabilitiesOf } from './examination';
import { removeUploads } from './leftovers';
import type { Written } from './multipart-upload';
import { storageErrorOf } from './s3-errors';
import type { S3StoreOptions } from './s3-store-options';
import { S3Writes } from './s3-writes';
import { inTime, late } from './time-limit';

/** Parts pay off where one connection is slow or breaks; AWS advises them from about here on. */
const ONE_PIECE_BYTES = 64 * 1024 * 1024;

/** Any S3 endpoint, through the AWS SDK. */
export class S3ObjectStore extends ObjectStore {
  /** Reads may be tried twice. */
  readonly #client: S3Client;
  /** Writes are tried once: a repeated conditional write whose first answer got lost would fail on its own success. */
  readonly #writer: S3Client;
  readonly #bucket: string;

  readonly #writes: S3Writes;
  #capabilities: Promise<Capabilities> | undefined;

  constructor(options: S3StoreOptions, memory: MemoryBudget) {
    super();
    this.#bucket = options.bucket;
    this.#client = clientFor(options, 2);
    this.#writer = clientFor(options, 1);
    this.#writes = new S3Writes({
      onePieceBytes: options.onePieceBytes ?? ONE_PIECE_BYTES,
      client: this.#writer,
      memory,
      capabilities: () => this.capabilities(),
      demand: (key, condition) => this.#demand(key, condition),
    });
  }

  async put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject> {
    const { body } = upload;
    const watch = new UploadWatch(body, upload.signal, late);
    try {
      const written = await this.#writes.write({ Bucket: this.#bucket, Key: key }, upload, watch);
      return await this.#described(key, written, upload.contentType);
    } catch (error) {
      // What we gave up for is the reason, whatever S3 made of it.
      const reason = (Buffer.isBuffer(body) ? undefined : body.errored) ?? watch.reason ?? error;
      if (statusIn(reason) === 412 || isAbsence(reason)) throw new PreconditionFailed((await this.head(key))?.etag);
      throw storageErrorOf(reason);
    } finally {
      watch.moving();
      if (!Buffer.isBuffer(body)) body.destroy();
    }
  }

  async get(
    key: WorkspaceKey,
    conditions: ReadConditions,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified | undefined> {
    try {
      const wanted = new GetObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        Range: conditions.range,
        IfMatch: conditions.ifMatch,
        IfNoneMatch: conditions.ifNoneMatch,
      });
      const found = await inTime((abortSignal) => this.#client.send(wanted, { abortSignal }), signal);
      if (!(found.Body instanceof Readable)) throw new StorageFailed();
      if (found.ContentLength === undefined) throw found.Body.destroy() && new StorageFailed();
      return {
        ...storedObject(found),
        body: endedWhenIdle(found.Body, BODY_IDLE_MS, late),
        length: found.ContentLength,
        ...(found.ContentRange === undefined ? {} : { contentRange: found.ContentRange }),
        ...(found.ContentRange === undefined ? {} : { size: Number(found.ContentRange.split('/')[1]) }),
      };
    } catch (error) {
      if (isAbsence(error))
        return conditions.ifMatch === undefined ? undefined : Promise.reject(new PreconditionFailed());
      const status = statusIn(error);
      if (status === 304) return { notModified: true, etag: (await this.#existing(key)).etag };
      if (status === 412) throw new PreconditionFailed((await this.head(key))?.etag);
      if (status === 416) throw new RangeNotSatisfiable((await this.#existing(key)).size);
      throw storageErrorOf(error);
    }
  }

  async head(key: WorkspaceKey): Promise<StoredObject | undefined> {
    try {
      const asked = new HeadObjectCommand({ Bucket: this.#bucket, Key: key });
      return storedObject(await inTime((abortSignal) => this.#client.send(asked, { abortSignal })));
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw storageErrorOf(error);
    }
  }

  async list(prefix: WorkspacePrefix, options: ListOptions): Promise<ListPage> {
    try {
      const asked = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        MaxKeys: options.limit,
        Delimiter: options.delimiter,
        ContinuationToken: options.cursor,
      });
      const page = await inTime((abortSignal) => this.#client.send(asked, { abortSignal }));
      return {
        objects: (page.Contents ?? []).map((each) => ({
          key: each.Key ?? '',
          ...storedObject({ ETag: each.ETag, LastModified: each.LastModified, ContentLength: each.Size }),
        })),
        directories: (page.CommonPrefixes ?? []).map((each) => each.Prefix ?? ''),
        ...(page.IsTruncated && page.NextContinuationToken ? { next: page.NextContinuationToken } : {}),
      };
    } catch (error) {
      throw storageErrorOf(error);
    }
  }

  async delete(key: WorkspaceKey, etag?: string): Promise<void> {
    try {
      if (etag !== undefined && !(await this.capabilities()).conditionalDeletion) await this.#demand(key, { etag });
      const unwanted = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, IfMatch: etag });
      await inTime((abortSignal) => this.#writer.send(unwanted, { abortSignal }));
    } catch (error) {
      if (isAbsence(error) && etag === undefined) return;
      if (isAbsence(error)) throw new PreconditionFailed();
      throw statusIn(error) === 412 ? new PreconditionFailed((await this.head(key))?.etag) : storageErrorOf(error);
    }
  }

  async ready(signal: AbortSignal): Promise<void> {
    try {
      await checkBucket(this.#client, this.#bucket, signal);
    } catch (error) {
      throw signal.aborted ? late({ cause: error }) : storageErrorOf(error);
    }
  }

  async examine(): Promise<readonly string[]> {
    return shortfallsOf(await this.capabilities());
  }

  async removeLeftovers(before: Date): Promise<number> {
    return removeUploads(this.#writer, this.#bucket, before);
  }

  /** What the endpoint really does; found out once, when it first matters. @throws {StorageUnsafe} */
  capabilities(): Promise<Capabilities> {
    this.#capabilities ??= capabilitiesOf(this.#writer, this.#bucket).catch((error: unknown) => {
      // A storage that did not answer is asked again; one that is not fit for use stays so.
      if (!(error instanceof StorageUnsafe)) this.#capabilities = undefined;
      throw error;
    });
    return this.#capabilities;
  }

  /** Stands in for a condition that the storage does not know. @throws {PreconditionFailed} */
  async #demand(key: WorkspaceKey, condition: NonNullable<WriteCondition>): Promise<void> {
    const etag = (await this.head(key))?.etag;
    if (etag !== ('etag' in condition ? condition.etag : undefined)) throw new PreconditionFailed(etag);
  }

  async #existing(key: WorkspaceKey): Promise<StoredObject> {
    const found = await this.head(key);
    if (!found) throw new StorageFailed();
    return found;
  }

  /** A write answers with an ETag alone. The rest is asked for, and is ours only while nobody has written since. */
  async #described(key: WorkspaceKey, { etag, size }: Written, contentType: string): Promise<StoredObject> {
    if (etag === undefined) throw new StorageFailed({ cause: new Error('the answer to a write lacks an entity tag') });
    // It is stored, whatever becomes of this question.
    const found = await this.head(key).catch(() => undefined);
    return found?.etag === etag ? found : { etag, size, contentType, modifiedAt: new Date() };
  }
}

function storedObject(output: {
  ETag?: string | undefined;
  LastModified?: Date | undefined;
  ContentLength?: number | undefined;
  ContentType?: string | undefined;
}): StoredObject {
  const etag = statedTag(output.ETag);
  if (etag === undefined || output.LastModified === undefined || output.ContentLength === undefined) {
    throw new StorageFailed();
  }
  return {
    size: output.ContentLength,
    etag,
    modifiedAt: output.LastModified,
    ...(output.ContentType === undefined ? {} : { contentType: output.ContentType }),
  };
}
