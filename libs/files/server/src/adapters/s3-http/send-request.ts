import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { StorageFailed, StorageTimeout } from '../../domain/files.errors';
import { storageErrorOf } from '../s3/s3-errors';

/** A response of S3. */
export interface S3Response {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** A stream must be consumed or destroyed. */
  readonly body: Readable | Buffer;
}

/** Smaller objects are buffered: streaming costs more, and a broken connection still rejects with a clear error. */
const BUFFERED_OBJECT_BYTES = 64 * 1024;
/** A listing page with the longest possible keys needs half of it. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

export interface SendRequestOptions extends Dispatcher.DispatchOptions {
  /** Aborted when the caller no longer waits for the response. */
  readonly signal?: AbortSignal | undefined;
  /** Whether to buffer the whole response regardless of its length. */
  readonly isBodyBuffered: boolean;
  /** Milliseconds until a stream starts or a buffered response is complete, including the wait for a connection. */
  readonly limitMs: number;
}

/**
 * Sends one request with undici's `dispatch`: `request` would create a stream, which costs as much as sending.
 * @throws {StorageTimeout} @throws {Error} of undici.
 */
export function sendRequest(
  agent: Dispatcher,
  { signal, isBodyBuffered, limitMs, ...options }: SendRequestOptions,
): Promise<S3Response> {
  return new Promise((resolve, reject) => {
    agent.dispatch(options, new ResponseReader({ signal, isBodyBuffered, limitMs, resolve, reject }));
  });
}

interface PendingResponse extends Pick<SendRequestOptions, 'signal' | 'isBodyBuffered' | 'limitMs'> {
  readonly resolve: (response: S3Response) => void;
  readonly reject: (error: Error) => void;
}

/** Reads a response into memory, or into a stream with back pressure. */
class ResponseReader implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<S3Response, 'statusCode' | 'headers'> | undefined;
  #chunks: Buffer[] | undefined;
  #bufferedBytes = 0;
  #stream: Readable | undefined;
  readonly #timeout: NodeJS.Timeout;
  /** Why the request was aborted. */
  #abortReason: Error | undefined;

  constructor(private readonly pending: PendingResponse) {
    const { signal, limitMs } = pending;
    this.#timeout = setTimeout(() => this.#abort(new StorageTimeout()), limitMs);
    if (signal?.aborted) this.#onCallerAbort();
    else signal?.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortReason) controller.abort(this.#abortReason);
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#head = { statusCode, headers };
    const length = Number(headers['content-length'] ?? Infinity);
    const isObject = (statusCode === 200 || statusCode === 206) && !this.pending.isBodyBuffered;
    if (!isObject || length <= BUFFERED_OBJECT_BYTES) {
      this.#chunks = [];
      return;
    }
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        controller.abort(error ?? new Error('the reader closed the stream'));
        done(error);
      },
    });
    // Without a listener, an error before the first read would end the process.
    this.#stream.on('error', () => undefined);
    clearTimeout(this.#timeout);
    this.pending.resolve({ ...this.#head, body: this.#stream });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#chunks) this.#buffer(controller, chunk);
    else if (this.#stream?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#cleanUp();
    this.#stream?.push(null);
    if (!this.#chunks || !this.#head) return;
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.pending.resolve({ ...this.#head, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#cleanUp();
    if (this.#stream) this.#stream.destroy(storageErrorOf(error));
    else this.pending.reject(error);
  }

  #buffer(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks?.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes > MAX_BUFFERED_BYTES)
      controller.abort(new StorageFailed({ cause: new Error('the response is too large to buffer') }));
  }

  #onCallerAbort = (): void => this.#abort(new Error('the caller aborted the request'));

  /** A request in the queue is aborted when it gets a connection; its caller is rejected at once. */
  #abort(reason: Error): void {
    this.#abortReason = reason;
    if (this.#controller) return this.#controller.abort(reason);
    this.#cleanUp();
    this.pending.reject(reason);
  }

  #cleanUp(): void {
    clearTimeout(this.#timeout);
    this.pending.signal?.removeEventListener('abort', this.#onCallerAbort);
  }
}
