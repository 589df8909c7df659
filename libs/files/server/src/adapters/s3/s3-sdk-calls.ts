import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  checkBucket,
  createS3Client,
  isObjectNotFound,
  isPreconditionFailure,
  UploadAbortController,
} from '@homeport/platform/server/storage';
import type { StoredObject } from '../../application/object-store.port';
import type { MemoryBudget } from '../../application/memory-budget';
import type { WriteCondition } from '../../domain/conditions';
import { PreconditionFailed, StorageIncompatible } from '../../domain/files.errors';
import type { WorkspaceKey } from '../../domain/workspace-key';
import type { Capabilities } from './capabilities';
import { detectCapabilities } from './detect-capabilities';
import { abortIncompleteUploads } from './abort-incomplete-uploads';
import type { WriteResult } from './multipart-upload';
import { invalidResponse, storageErrorOf, storageTimeout, withTimeout } from './s3-errors';
import type { S3StoreOptions } from './s3-store-options';
import { S3Uploader, type StreamUpload } from './s3-uploader';

/** Multipart uploads help on slow or unreliable connections; AWS recommends them from about this size. */
const MULTIPART_THRESHOLD_BYTES = 64 * 1024 * 1024;

export interface S3SdkCallsOptions {
  readonly store: S3StoreOptions;
  readonly memory: MemoryBudget;
  /** Reads the metadata of the current version; undefined when the object is absent. */
  readonly head: (key: WorkspaceKey) => Promise<StoredObject | undefined>;
}

/** The rare calls of the object store, sent by the AWS SDK: streams, conditional deletions, checks and clean-up. */
export class S3SdkCalls {
  /** Checks are retried once. */
  readonly #checkingClient: S3Client;
  /** Does not retry: a conditional write whose first response was lost would fail on its own success. */
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #head: S3SdkCallsOptions['head'];
  readonly #uploader: S3Uploader;
  #capabilities: Promise<Capabilities> | undefined;
  #probeRemoved: Promise<void> | undefined;

  constructor({ store, memory, head }: S3SdkCallsOptions) {
    this.#bucket = store.bucket;
    this.#head = head;
    this.#checkingClient = createS3Client(store, 2);
    this.#client = createS3Client(store, 1);
    this.#uploader = new S3Uploader({
      multipartThresholdBytes: store.multipartThresholdBytes ?? MULTIPART_THRESHOLD_BYTES,
      client: this.#client,
      memory,
      capabilities: () => this.capabilities(),
      assertCondition: (key, condition) => this.#assertCondition(key, condition),
    });
  }

  /** Writes a stream. @throws {PreconditionFailed} @throws the storage errors of files. */
  async put(key: WorkspaceKey, upload: StreamUpload): Promise<StoredObject> {
    const { body, condition } = upload;
    const watch = new UploadAbortController(body, upload.signal, storageTimeout);
    try {
      const written = await this.#uploader.write({ Bucket: this.#bucket, Key: key }, upload, watch);
      return await this.#readBack(key, written, upload.contentType);
    } catch (error) {
      // The error of the body or the abort reason is the cause; the SDK's error only follows from it.
      const reason = body.errored ?? watch.reason ?? error;
      if (isPreconditionFailure(reason) || (condition !== undefined && isObjectNotFound(reason)))
        throw new PreconditionFailed((await this.#head(key))?.etag);
      throw storageErrorOf(reason);
    } finally {
      watch.resumed();
      body.destroy();
    }
  }

  /** Deletes an object if `etag` is its current version. @throws {PreconditionFailed} */
  async deleteVersion(key: WorkspaceKey, etag: string): Promise<void> {
    try {
      if (!(await this.capabilities()).conditionalDeletion) await this.#assertCondition(key, { etag });
      const command = new DeleteObjectCommand({ Bucket: this.#bucket, Key: key, IfMatch: etag });
      await withTimeout((abortSignal) => this.#client.send(command, { abortSignal }));
    } catch (error) {
      if (isObjectNotFound(error)) throw new PreconditionFailed();
      throw isPreconditionFailure(error)
        ? new PreconditionFailed((await this.#head(key))?.etag)
        : storageErrorOf(error);
    }
  }

  /** @throws the storage errors of files, unless the bucket can be used. */
  async ready(signal: AbortSignal): Promise<void> {
    try {
      await checkBucket(this.#checkingClient, this.#bucket, signal);
    } catch (error) {
      throw signal.aborted ? storageTimeout({ cause: error }) : storageErrorOf(error);
    }
  }

  /** Aborts multipart uploads that were started before a time. @returns their number. */
  async abortIncompleteUploads(before: Date): Promise<number> {
    return abortIncompleteUploads(this.#client, this.#bucket, before);
  }

  /** The capabilities of the endpoint, detected once, on first use. @throws {StorageIncompatible} */
  capabilities(): Promise<Capabilities> {
    const onCleanUp = (removed: Promise<void>) => (this.#probeRemoved = removed);
    this.#capabilities ??= detectCapabilities(this.#client, this.#bucket, onCleanUp).catch((error: unknown) => {
      // A failed detection is repeated; an incompatible endpoint stays rejected.
      if (!(error instanceof StorageIncompatible)) this.#capabilities = undefined;
      throw error;
    });
    return this.#capabilities;
  }

  /** As `capabilities`, and waits until the probe is removed, also after a time-out. @throws {StorageIncompatible} */
  async checkedCapabilities(): Promise<Capabilities> {
    try {
      return await this.capabilities();
    } finally {
      await this.#probeRemoved;
    }
  }

  /** Checks a condition that storage does not support. @throws {PreconditionFailed} */
  async #assertCondition(key: WorkspaceKey, condition: NonNullable<WriteCondition>): Promise<void> {
    const etag = (await this.#head(key))?.etag;
    if (etag !== ('etag' in condition ? condition.etag : undefined)) throw new PreconditionFailed(etag);
  }

  /** A write returns only an ETag. A HEAD adds the rest, unless another writer has replaced the version since. */
  async #readBack(key: WorkspaceKey, { etag, size }: WriteResult, contentType: string): Promise<StoredObject> {
    if (etag === undefined) throw invalidResponse('the response to a write lacks an entity tag');
    // The object is stored, even if this HEAD fails.
    const found = await this.#head(key).catch(() => undefined);
    return found?.etag === etag ? found : { etag, size, contentType, modifiedAt: new Date() };
  }
}
