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
  BODY_IDLE_TIMEOUT_MS,
  createS3Client,
  withIdleTimeout,
  isObjectNotFound,
  isPreconditionFailure,
  statusIn,
  UploadAbortController,
} from '@homeport/platform/server/storage';
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
import { PreconditionFailed, RangeNotSatisfiable, StorageFailed, StorageIncompatible } from '../../domain/files.errors';
import type { WorkspaceKey, WorkspacePrefix } from '../../domain/workspace-key';
import { type Capabilities, limitationsOf } from './capabilities';
import { nonEmptyEtag } from './entity-tags';
import { detectCapabilities } from './detect-capabilities';
import { abortIncompleteUploads } from './abort-incomplete-uploads';
import type { WriteResult } from './multipart-upload';
import { invalidResponse, storageErrorOf, storageTimeout, withTimeout } from './s3-errors';
import type { S3StoreOptions } from './s3-store-options';
import { S3Uploader } from './s3-uploader';

/** Multipart uploads help on slow or unreliable connections; AWS recommends them from about this size. */
const MULTIPART_THRESHOLD_BYTES = 64 * 1024 * 1024;

/** Stores objects on any S3 endpoint through the AWS SDK. */
export class S3ObjectStore extends ObjectStore {
  /** Reads are retried once. */
  readonly #client: S3Client;
  /** Writes are not retried: a conditional write whose first response was lost would fail on its own success. */
  readonly #clientWithoutRetries: S3Client;
  readonly #bucket: string;

  readonly #uploader: S3Uploader;
  #capabilities: Promise<Capabilities> | undefined;

  constructor(options: S3StoreOptions, memory: MemoryBudget) {
    super();
    this.#bucket = options.bucket;
    this.#client = createS3Client(options, 2);
    this.#clientWithoutRetries = createS3Client(options, 1);
    this.#uploader = new S3Uploader({
      multipartThresholdBytes: options.multipartThresholdBytes ?? MULTIPART_THRESHOLD_BYTES,
      client: this.#clientWithoutRetries,
      memory,
      capabilities: () => this.capabilities(),
      assertCondition: (key, condition) => this.#assertCondition(key, condition),
    });
  }

  async put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject> {
    const { body } = upload;
    const watch = new UploadAbortController(body, upload.signal, storageTimeout);
    try {
      const written = await this.#uploader.write({ Bucket: this.#bucket, Key: key }, upload, watch);
      return await this.#readBack(key, written, upload.contentType);
    } catch (error) {
      // The error of the body or the abort reason is the cause; the SDK's error only follows from it.
      const reason = (Buffer.isBuffer(body) ? undefined : body.errored) ?? watch.reason ?? error;
      if (isPreconditionFailure(reason) || isObjectNotFound(reason))
        throw new PreconditionFailed((await this.head(key))?.etag);
      throw storageErrorOf(reason);
    } finally {
      watch.resumed();
      if (!Buffer.isBuffer(body)) body.destroy();
    }
  }

  async get(
    key: WorkspaceKey,
    conditions: ReadConditions,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified | undefined> {
    try {
      const command = new GetObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        Range: conditions.range,
        IfMatch: conditions.ifMatch,
        IfNoneMatch: conditions.ifNoneMatch,
      });
      const found = await withTimeout((abortSignal) => this.#client.send(command, { abortSignal }), signal);
      if (!(found.Body instanceof Readable)) throw new StorageFailed();
      if (found.ContentLength === undefined) throw found.Body.destroy() && new StorageFailed();
      return {
        ...storedObject(found),
        body: withIdleTimeout(found.Body, BODY_IDLE_TIMEOUT_MS, storageTimeout),
        length: found.ContentLength,
        ...(found.ContentRange === undefined ? {} : { contentRange: found.ContentRange }),
        ...(found.ContentRange === undefined ? {} : { size: Number(found.ContentRange.split('/')[1]) }),
      };
    } catch (error) {
      if (isObjectNotFound(error))
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
      const command = new HeadObjectCommand({ Bucket: this.#bucket, Key: key });
      return storedObject(await withTimeout((abortSignal) => this.#client.send(command, { abortSignal })));
    } catch (error) {
      if (isObjectNotFound(error)) return undefined;
      throw storageErrorOf(error);
    }
  }

  async list(prefix: WorkspacePrefix, options: ListOptions): Promise<ListPage> {
    try {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        MaxKeys: options.limit,
        Delimiter: options.delimiter,
        ContinuationToken: options.cursor,
      });
      const page = await withTimeout((abortSignal) => this.#client.send(command, { abortSignal }));
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
      if (etag !== undefined && !(await this.capabilities()).conditionalDeletion)
        await this.#assertCondition(key, { etag });
      const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, IfMatch: etag });
      await withTimeout((abortSignal) => this.#clientWithoutRetries.send(command, { abortSignal }));
    } catch (error) {
      if (isObjectNotFound(error) && etag === undefined) return;
      if (isObjectNotFound(error)) throw new PreconditionFailed();
      throw isPreconditionFailure(error) ? new PreconditionFailed((await this.head(key))?.etag) : storageErrorOf(error);
    }
  }

  async ready(signal: AbortSignal): Promise<void> {
    try {
      await checkBucket(this.#client, this.#bucket, signal);
    } catch (error) {
      throw signal.aborted ? storageTimeout({ cause: error }) : storageErrorOf(error);
    }
  }

  async checkCompatibility(): Promise<readonly string[]> {
    return limitationsOf(await this.capabilities());
  }

  async abortIncompleteUploads(before: Date): Promise<number> {
    return abortIncompleteUploads(this.#clientWithoutRetries, this.#bucket, before);
  }

  /** The capabilities of the endpoint, detected once, on first use. @throws {StorageIncompatible} */
  capabilities(): Promise<Capabilities> {
    this.#capabilities ??= detectCapabilities(this.#clientWithoutRetries, this.#bucket).catch((error: unknown) => {
      // A failed detection is repeated; an incompatible endpoint stays rejected.
      if (!(error instanceof StorageIncompatible)) this.#capabilities = undefined;
      throw error;
    });
    return this.#capabilities;
  }

  /** Checks a condition that storage does not support. @throws {PreconditionFailed} */
  async #assertCondition(key: WorkspaceKey, condition: NonNullable<WriteCondition>): Promise<void> {
    const etag = (await this.head(key))?.etag;
    if (etag !== ('etag' in condition ? condition.etag : undefined)) throw new PreconditionFailed(etag);
  }

  async #existing(key: WorkspaceKey): Promise<StoredObject> {
    const found = await this.head(key);
    if (!found) throw new StorageFailed();
    return found;
  }

  /** A write returns only an ETag. A HEAD adds the rest, unless another writer has replaced the version since. */
  async #readBack(key: WorkspaceKey, { etag, size }: WriteResult, contentType: string): Promise<StoredObject> {
    if (etag === undefined) throw invalidResponse('the response to a write lacks an entity tag');
    // The object is stored, even if this HEAD fails.
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
  const etag = nonEmptyEtag(output.ETag);
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
