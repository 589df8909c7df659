import { Readable } from 'node:stream';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { S3HttpClient } from './http/s3-http-client';
import { isNoSuchKey, responseErrorOf } from './http/s3-responses';
import type { S3Response } from './http/send-request';
import { WRITE_TIMEOUT_MS } from './storage-timeouts';
import { createS3Client, type S3Options } from './s3-client';
import { UploadAbortController } from './upload-abort-controller';
import { observedBody } from './upload-source';
import { verifiedStream } from '../blobs/blob-streams';
import {
  type BlobSource,
  BlobStore,
  type ByteRange,
  type Encoding,
  ENCODINGS,
  type OpenOptions,
} from '../blobs/blob-store.port';
import { BLOB_ROOT, type BlobKey } from '../blobs/blob-key';
import { blobErrors } from './s3-blob-errors';
import { SUFFIXES } from './blob-object-names';

/** Sent with every blob, as the SDK does. The edge determines the content type of a file from its name. */
const CONTENT_TYPE = 'application/octet-stream';
/** Read by the health check. No blob has this name, so no object does. */
const HEALTH_CHECK_KEY = `${BLOB_ROOT}health`;

/** Blobs in an S3 bucket, one object per encoding. Streams use the AWS SDK, other calls bypass it. */
export class S3BlobStore extends BlobStore {
  readonly #client: S3HttpClient;
  /** Never retries, because a stream can be read only once. */
  readonly #sdkClientWithoutRetries: S3Client;
  readonly #bucket: string;

  constructor(options: S3Options) {
    super();
    this.#bucket = options.bucket;
    this.#client = new S3HttpClient(options, blobErrors);
    this.#sdkClientWithoutRetries = createS3Client(options, 1);
  }

  async put(key: BlobKey, encoding: Encoding, body: Buffer | BlobSource, signal: AbortSignal): Promise<void> {
    const name = key + SUFFIXES[encoding];
    if (Buffer.isBuffer(body)) await this.#putBuffer(name, body, signal);
    else await this.#putStream(name, body, signal);
  }

  async open(key: BlobKey, encoding: Encoding, { range, signal }: OpenOptions): Promise<Readable | undefined> {
    const headers = range && { Range: `bytes=${range.first}-${range.last}` };
    const response = await abortable(signal, () =>
      this.#client.send({
        method: 'GET',
        key: key + SUFFIXES[encoding],
        signal,
        buffering: 'never',
        ...(headers && { headers }),
      }),
    );
    // Only error responses are buffered.
    if (response.body instanceof Readable) return bodyOf(response, response.body, range);
    if (isNoSuchKey(response)) return undefined;
    throw blobErrors.translate(responseErrorOf(response));
  }

  async remove(key: BlobKey): Promise<void> {
    await Promise.all(ENCODINGS.map((encoding) => this.#delete(key + SUFFIXES[encoding])));
  }

  /** Reads an object that does not exist, because that needs the permissions of `open` and no others. */
  async ready(signal: AbortSignal): Promise<void> {
    const response = await abortable(signal, () => this.#client.send({ method: 'GET', key: HEALTH_CHECK_KEY, signal }));
    if (response.body instanceof Readable) response.body.destroy();
    if (isNoSuchKey(response)) return;
    if (response.statusCode < 300) throw blobErrors.invalidResponse('an absent object has a body');
    throw blobErrors.translate(responseErrorOf(response));
  }

  async #putBuffer(key: string, body: Buffer, signal: AbortSignal): Promise<void> {
    const headers = { 'Content-Type': CONTENT_TYPE };
    const response = await abortable(signal, () =>
      this.#client.send({ method: 'PUT', key, body, headers, signal, limitMs: WRITE_TIMEOUT_MS }),
    );
    if (response.statusCode >= 300) throw blobErrors.translate(responseErrorOf(response));
  }

  async #putStream(Key: string, source: BlobSource, signal: AbortSignal): Promise<void> {
    const body = verifiedStream(source);
    const watch = new UploadAbortController(body, signal, blobErrors.timeout);
    try {
      const command = new PutObjectCommand({
        Bucket: this.#bucket,
        Key,
        Body: observedBody(body, watch),
        ContentLength: source.size,
      });
      await this.#sdkClientWithoutRetries.send(command, { abortSignal: watch.signal });
    } catch (error) {
      // The reason for the abort takes precedence over the resulting S3 error.
      signal.throwIfAborted();
      throw body.errored ?? blobErrors.translate(watch.reason ?? error);
    } finally {
      watch.resumed();
      body.destroy();
    }
  }

  async #delete(key: string): Promise<void> {
    const response = await this.#client.send({ method: 'DELETE', key });
    if (response.statusCode < 300 || isNoSuchKey(response)) return;
    throw blobErrors.translate(responseErrorOf(response));
  }
}

/** Rejects with the reason of the caller when it aborted the call. */
async function abortable<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Returns the body of a matching response. Rejects other ranges: visitors would get the wrong bytes. */
function bodyOf({ headers }: S3Response, body: Readable, range: ByteRange | undefined): Readable {
  const contentRange = headers['content-range'];
  const isRequested = range
    ? contentRange?.startsWith(`bytes ${range.first}-${range.last}/`) === true
    : contentRange === undefined;
  if (isRequested) return body;
  body.destroy();
  throw blobErrors.invalidResponse('the response has another range than requested');
}
