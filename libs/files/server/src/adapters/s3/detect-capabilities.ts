import { randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { isObjectNotFound, statusIn } from '@homeport/platform/server/storage';
import { StorageIncompatible, StorageTimeout } from '../../domain/files.errors';
import type { Capabilities } from './capabilities';
import { nonEmptyEtag } from './entity-tags';
import { storageErrorOf, withTimeout } from './s3-errors';

/** Cannot be the prefix of a workspace, which has a hash of 43 characters after `u/`. */
const PROBE_PREFIX = 'u/examination/';
const WRONG_TAG = '"00000000000000000000000000000000"';

interface Conditions {
  readonly IfMatch?: string;
  readonly IfNoneMatch?: string;
}

/**
 * Tests documented S3 features on a probe object, because some endpoints that claim S3 compatibility ignore conditions
 * without an error.
 * @throws {StorageIncompatible} when conditional writes do not work.
 * @throws {StorageUnavailable} @throws {StorageTimeout} @throws {StorageFailed} when storage does not respond or
 * rejects the probe.
 * @param onCleanUp receives the end of the removal of the probe, which the result does not wait for after a time-out.
 */
export async function detectCapabilities(
  client: S3Client,
  bucket: string,
  onCleanUp?: (removed: Promise<void>) => void,
): Promise<Capabilities> {
  const probe = new CapabilityProbe(client, { Bucket: bucket, Key: `${PROBE_PREFIX}${randomUUID()}` });
  try {
    const capabilities = await probe.run();
    await probe.cleanUp();
    return capabilities;
  } catch (error) {
    const failure = error instanceof StorageIncompatible ? error : storageErrorOf(error);
    const removed = probe.cleanUp();
    onCleanUp?.(removed);
    // A storage that has just timed out would time out again.
    if (!(failure instanceof StorageTimeout)) await removed;
    throw failure;
  }
}

class CapabilityProbe {
  constructor(
    private readonly client: S3Client,
    private readonly target: { readonly Bucket: string; readonly Key: string },
  ) {}

  async run(): Promise<Capabilities> {
    const etag = await this.#createProbe();
    if (await this.#succeeds(() => this.#put({ IfMatch: WRONG_TAG }))) {
      throw new StorageIncompatible('The storage ignores If-Match on writes: concurrent changes would be lost.');
    }
    const quotedTags = await this.#succeeds(() => this.#put({ IfMatch: etag }));
    if (!quotedTags && !(await this.#succeeds(() => this.#put({ IfMatch: etag.replaceAll('"', '') })))) {
      throw new StorageIncompatible('The storage rejects every write with If-Match, even with the current entity tag.');
    }
    return {
      quotedTags,
      conditionalCompletion: !(await this.#succeeds(() => this.#complete())),
      conditionalDeletion: !(await this.#succeeds(() => this.#delete({ IfMatch: WRONG_TAG }))),
    };
  }

  async cleanUp(): Promise<void> {
    // Best effort: a failure leaves a few bytes outside all workspaces and must not hide the result of the probe.
    await this.#delete({}).catch(() => undefined);
  }

  async #createProbe(): Promise<string> {
    const etag = await this.#put({ IfNoneMatch: '*' });
    if (await this.#succeeds(() => this.#put({ IfNoneMatch: '*' }))) {
      throw new StorageIncompatible(
        'The storage ignores If-None-Match on writes: concurrently created files would be lost.',
      );
    }
    if (etag === undefined) throw new StorageIncompatible('The storage does not return an entity tag for writes.');
    return etag;
  }

  async #put(conditions: Conditions): Promise<string | undefined> {
    const write = new PutObjectCommand({ ...this.target, Body: Buffer.from('examined'), ...conditions });
    const { ETag } = await withTimeout((abortSignal) => this.client.send(write, { abortSignal }));
    return nonEmptyEtag(ETag);
  }

  async #delete(conditions: Conditions): Promise<void> {
    const command = new DeleteObjectCommand({ ...this.target, ...conditions });
    await withTimeout((abortSignal) => this.client.send(command, { abortSignal }));
  }

  /** Completes an upload under a condition that is not met. */
  async #complete(): Promise<void> {
    const create = new CreateMultipartUploadCommand(this.target);
    const { UploadId } = await withTimeout((abortSignal) => this.client.send(create, { abortSignal }));
    try {
      const part = new UploadPartCommand({ ...this.target, UploadId, PartNumber: 1, Body: Buffer.from('examined') });
      const { ETag } = await withTimeout((abortSignal) => this.client.send(part, { abortSignal }));
      const complete = new CompleteMultipartUploadCommand({
        ...this.target,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
        IfNoneMatch: '*',
      });
      await withTimeout((abortSignal) => this.client.send(complete, { abortSignal }));
    } catch (error) {
      const abort = new AbortMultipartUploadCommand({ ...this.target, UploadId });
      await withTimeout((abortSignal) => this.client.send(abort, { abortSignal })).catch(() => undefined);
      throw error;
    }
  }

  /** False when storage rejects the request because of its condition; other failures are thrown. */
  async #succeeds(attempt: () => Promise<unknown>): Promise<boolean> {
    try {
      await attempt();
      return true;
    } catch (error) {
      if (statusIn(error) === 412 || isObjectNotFound(error)) return false;
      throw error;
    }
  }
}
