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
import { isObjectNotFound, statusIn } from '@homeport/platform/server';
import { StorageIncompatible } from '../../domain/files.errors';
import type { Capabilities } from './capabilities';
import { nonEmptyEtag } from './entity-tags';
import { storageErrorOf } from './s3-errors';
import { withTimeout } from './storage-timeout';

/** Nobody's workspace: those are named by 43 characters. */
const PROBE_PREFIX = 'u/examination/';
const WRONG_TAG = '"00000000000000000000000000000000"';

interface Conditions {
  readonly IfMatch?: string;
  readonly IfNoneMatch?: string;
}

/**
 * Tries on an object of its own what the documentation of S3 promises, because endpoints that call themselves
 * compatible differ just here, and the ones that ignore a condition do so silently.
 * @throws {StorageIncompatible} when conditional writes do not work. @throws {StorageUnavailable} and its like when storage
 * does not answer, or does not let us write.
 */
export async function detectCapabilities(client: S3Client, bucket: string): Promise<Capabilities> {
  const probe = new CapabilityProbe(client, { Bucket: bucket, Key: `${PROBE_PREFIX}${randomUUID()}` });
  try {
    return await probe.run();
  } catch (error) {
    throw error instanceof StorageIncompatible ? error : storageErrorOf(error);
  } finally {
    // Nobody waits for it: a storage that has just kept silent would do so once more.
    void probe.cleanUp();
  }
}

class CapabilityProbe {
  constructor(
    private readonly client: S3Client,
    private readonly target: { readonly Bucket: string; readonly Key: string },
  ) {}

  async run(): Promise<Capabilities> {
    const etag = await this.#demandCreation();
    if (await this.#succeeds(() => this.#put({ IfMatch: WRONG_TAG }))) {
      throw new StorageIncompatible('The storage ignores If-Match on writes: changes of other people would be lost.');
    }
    const quotedTags = await this.#succeeds(() => this.#put({ IfMatch: etag }));
    if (!quotedTags && !(await this.#succeeds(() => this.#put({ IfMatch: etag.replaceAll('"', '') })))) {
      throw new StorageIncompatible('The storage refuses every write under If-Match, the right ones included.');
    }
    return {
      quotedTags,
      conditionalCompletion: !(await this.#succeeds(() => this.#complete())),
      conditionalDeletion: !(await this.#succeeds(() => this.#delete({ IfMatch: WRONG_TAG }))),
    };
  }

  async cleanUp(): Promise<void> {
    // What stays behind is a few bytes in nobody's workspace; what the examination found out matters more.
    await this.#delete({}).catch(() => undefined);
  }

  async #demandCreation(): Promise<string> {
    const etag = await this.#put({ IfNoneMatch: '*' });
    if (await this.#succeeds(() => this.#put({ IfNoneMatch: '*' }))) {
      throw new StorageIncompatible(
        'The storage ignores If-None-Match on writes: files of other people would be lost.',
      );
    }
    if (etag === undefined) throw new StorageIncompatible('The storage does not answer writes with an entity tag.');
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

  /** Completes an upload under a condition that does not hold. */
  async #complete(): Promise<void> {
    const begin = new CreateMultipartUploadCommand(this.target);
    const { UploadId } = await withTimeout((abortSignal) => this.client.send(begin, { abortSignal }));
    try {
      const part = new UploadPartCommand({ ...this.target, UploadId, PartNumber: 1, Body: Buffer.from('examined') });
      const { ETag } = await withTimeout((abortSignal) => this.client.send(part, { abortSignal }));
      const end = new CompleteMultipartUploadCommand({
        ...this.target,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
        IfNoneMatch: '*',
      });
      await withTimeout((abortSignal) => this.client.send(end, { abortSignal }));
    } catch (error) {
      const undo = new AbortMultipartUploadCommand({ ...this.target, UploadId });
      await withTimeout((abortSignal) => this.client.send(undo, { abortSignal })).catch(() => undefined);
      throw error;
    }
  }

  /** Whether storage does it, as opposed to refusing it for its condition; other failures are raised. */
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
