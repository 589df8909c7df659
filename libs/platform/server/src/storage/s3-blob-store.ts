import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { checkBucket } from './check-bucket';
import { BODY_IDLE_TIMEOUT_MS, WRITE_TIMEOUT_MS } from './storage-timeouts';
import { createS3Client, type S3Options } from './s3-client';
import { withIdleTimeout } from './idle-timeout';
import { isObjectNotFound } from './s3-errors';
import { UploadAbortController } from './upload-abort-controller';
import { observedBody } from './upload-source';
import { abortableStream, verifiedStream } from '../blobs/blob-streams';
import {
  type BlobSource,
  BlobStore,
  type ByteRange,
  type Encoding,
  ENCODINGS,
  type OpenOptions,
} from '../blobs/blob-store.port';
import type { BlobKey } from '../blobs/blob-key';
import { BlobStorageFailed } from '../blobs/blobs.errors';
import { blobErrors } from './s3-blob-errors';

const SUFFIXES: Readonly<Record<Encoding, string>> = { identity: '', br: '.br', gzip: '.gz' };

interface ObjectLocation {
  readonly Bucket: string;
  readonly Key: string;
}

/** Blobs in an S3 bucket, one object per encoding. */
export class S3BlobStore extends BlobStore {
  /** Retries once. Only for idempotent calls with a repeatable body. */
  readonly #client: S3Client;
  /** Never retries, because a stream can be read only once. */
  readonly #clientWithoutRetries: S3Client;
  readonly #bucket: string;

  constructor(options: S3Options) {
    super();
    this.#bucket = options.bucket;
    this.#client = createS3Client(options, 2);
    this.#clientWithoutRetries = createS3Client(options, 1);
  }

  async put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void> {
    const location = this.#locationOf(key, encoding);
    if (Buffer.isBuffer(body)) await this.#putBuffer(location, body, signal);
    else await this.#putStream(location, body, signal);
  }

  async open(key: BlobKey, encoding: Encoding, { range, signal }: OpenOptions): Promise<Readable | undefined> {
    try {
      const Range = range && `bytes=${range.first}-${range.last}`;
      const command = new GetObjectCommand({ ...this.#locationOf(key, encoding), Range });
      const found = await blobErrors.withTimeout((abortSignal) => this.#client.send(command, { abortSignal }), signal);
      return abortableStream(
        signal,
        withIdleTimeout(bodyOf(found, range), BODY_IDLE_TIMEOUT_MS, blobErrors.timeout, blobErrors.translate),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (isObjectNotFound(error)) return undefined;
      throw blobErrors.translate(error);
    }
  }

  async remove(key: BlobKey): Promise<void> {
    await Promise.all(ENCODINGS.map((encoding) => this.#delete(this.#locationOf(key, encoding))));
  }

  async ready(signal: AbortSignal): Promise<void> {
    try {
      await blobErrors.withTimeout((abortSignal) => checkBucket(this.#client, this.#bucket, abortSignal), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw blobErrors.translate(error);
    }
  }

  #locationOf(key: BlobKey, encoding: Encoding): ObjectLocation {
    return { Bucket: this.#bucket, Key: key + SUFFIXES[encoding] };
  }

  async #putBuffer(location: ObjectLocation, body: Buffer, signal: AbortSignal): Promise<void> {
    try {
      const command = new PutObjectCommand({ ...location, Body: body });
      await blobErrors.withTimeout(
        (abortSignal) => this.#client.send(command, { abortSignal }),
        signal,
        WRITE_TIMEOUT_MS,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw blobErrors.translate(error);
    }
  }

  async #putStream(location: ObjectLocation, source: BlobSource, signal: AbortSignal): Promise<void> {
    const body = verifiedStream(source);
    const watch = new UploadAbortController(body, signal, blobErrors.timeout);
    try {
      const command = new PutObjectCommand({
        ...location,
        Body: observedBody(body, watch),
        ContentLength: source.size,
      });
      await this.#clientWithoutRetries.send(command, { abortSignal: watch.signal });
    } catch (error) {
      // The reason for the abort takes precedence over the resulting S3 error.
      signal.throwIfAborted();
      throw body.errored ?? blobErrors.translate(watch.reason ?? error);
    } finally {
      watch.resumed();
      body.destroy();
    }
  }

  async #delete(location: ObjectLocation): Promise<void> {
    try {
      await blobErrors.withTimeout((abortSignal) =>
        this.#client.send(new DeleteObjectCommand(location), { abortSignal }),
      );
    } catch (error) {
      if (!isObjectNotFound(error)) throw blobErrors.translate(error);
    }
  }
}

/** Returns the body of a matching response. Rejects other ranges: visitors would get the wrong bytes. */
function bodyOf({ Body, ContentRange }: GetObjectCommandOutput, range: ByteRange | undefined): Readable {
  if (!(Body instanceof Readable)) throw new BlobStorageFailed();
  const isRequested = range
    ? ContentRange?.startsWith(`bytes ${range.first}-${range.last}/`) === true
    : ContentRange === undefined;
  if (isRequested) return Body;
  Body.destroy();
  throw new BlobStorageFailed();
}
