import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
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
import { PreconditionFailed, RangeNotSatisfiable, StorageFailed } from '../../domain/files.errors';
import type { WorkspaceKey, WorkspacePrefix } from '../../domain/workspace-key';
import { endedWhenIdle } from './idle-limit';
import { clientFor, type S3Options } from './s3-client';
import { isAbsence, statusIn, storageErrorOf } from './s3-errors';
import { conditionHeaders, uploadOfUnknownSize, type UploadTarget, type Written } from './unknown-size-upload';
import { inTime } from './time-limit';
import { UploadWatch } from './upload-watch';

const BODY_IDLE_MS = 10_000;

/** Any S3 endpoint, through the AWS SDK. */
export class S3ObjectStore extends ObjectStore {
  /** Reads may be tried twice. */
  readonly #client: S3Client;
  /** Writes are tried once: a repeated conditional write whose first answer got lost would fail on its own success. */
  readonly #writer: S3Client;
  readonly #bucket: string;

  constructor(options: S3Options) {
    super();
    this.#bucket = options.bucket;
    this.#client = clientFor(options, 2);
    this.#writer = clientFor(options, 1);
  }

  async put(key: WorkspaceKey, sent: ObjectUpload): Promise<StoredObject> {
    const target = { Bucket: this.#bucket, Key: key };
    const watch = new UploadWatch(sent);
    const upload = { ...sent, signal: watch.signal };
    try {
      const written = await (upload.size === undefined
        ? uploadOfUnknownSize(this.#writer, target, upload)
        : this.#putStream(target, upload, upload.size));
      return await this.#described(key, written, upload.contentType);
    } catch (error) {
      // What we gave up for is the reason, whatever S3 made of it.
      const reason = upload.body.errored ?? watch.reason ?? error;
      if (statusIn(reason) === 412 || isAbsence(reason)) throw new PreconditionFailed((await this.head(key))?.etag);
      throw storageErrorOf(reason);
    } finally {
      watch.stop();
      upload.body.destroy();
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
        body: endedWhenIdle(found.Body, BODY_IDLE_MS),
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
      const unwanted = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, IfMatch: etag });
      await inTime((abortSignal) => this.#writer.send(unwanted, { abortSignal }));
    } catch (error) {
      if (isAbsence(error) && etag === undefined) return;
      throw storageErrorOf(isAbsence(error) ? new PreconditionFailed() : error);
    }
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }), { abortSignal: signal });
  }

  async #putStream(target: UploadTarget, upload: ObjectUpload, size: number): Promise<Written> {
    const { ETag } = await this.#writer.send(
      new PutObjectCommand({
        ...target,
        Body: upload.body,
        ContentLength: size,
        ContentType: upload.contentType,
        ContentMD5: upload.contentMd5,
        ...conditionHeaders(upload.condition),
      }),
      { abortSignal: upload.signal },
    );
    return { etag: ETag, size };
  }

  async #existing(key: WorkspaceKey): Promise<StoredObject> {
    const found = await this.head(key);
    if (!found) throw new StorageFailed();
    return found;
  }

  /** A write answers with an ETag alone. The rest is asked for, and is ours only while nobody has written since. */
  async #described(key: WorkspaceKey, { etag, size }: Written, contentType: string): Promise<StoredObject> {
    if (etag === undefined) throw new StorageFailed();
    const found = await this.head(key);
    return found?.etag === etag ? found : { etag, size, contentType, modifiedAt: new Date() };
  }
}

function storedObject(output: {
  ETag?: string | undefined;
  LastModified?: Date | undefined;
  ContentLength?: number | undefined;
  ContentType?: string | undefined;
}): StoredObject {
  if (output.ETag === undefined || output.LastModified === undefined || output.ContentLength === undefined) {
    throw new StorageFailed();
  }
  return {
    size: output.ContentLength,
    etag: output.ETag,
    modifiedAt: output.LastModified,
    ...(output.ContentType === undefined ? {} : { contentType: output.ContentType }),
  };
}
