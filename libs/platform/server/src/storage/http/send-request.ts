import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { StorageErrors } from '../storage-errors';
import { BODY_IDLE_TIMEOUT_MS } from '../storage-timeouts';

/** A response of S3. */
export interface S3Response {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** A stream must be consumed or destroyed. */
  readonly body: Readable | Buffer;
}

/**
 * Which objects are buffered before the response is returned: every one, those of up to 64 KiB, or none. Other
 * responses, such as errors, are always buffered.
 */
export type Buffering = 'always' | 'small' | 'never';

/** Smaller objects are buffered: streaming costs more, and a broken connection still rejects with a clear error. */
const SMALL_OBJECT_BYTES = 64 * 1024;
/** A listing page with the longest possible keys needs half of it. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

export interface SendRequestOptions extends Dispatcher.DispatchOptions {
  /** Aborted when the caller no longer waits for the response. */
  readonly signal?: AbortSignal | undefined;
  readonly buffering: Buffering;
  /** Milliseconds until a stream starts or a buffered response is complete, including the wait for a connection. */
  readonly limitMs: number;
  /** Creates the timeout error, and the errors of streams. */
  readonly errors: StorageErrors;
}

/**
 * Sends one request with undici's `dispatch`: `request` would create a stream, which costs as much as sending. A stream
 * fails when storage sends nothing for `BODY_IDLE_TIMEOUT_MS`; the time that its reader takes does not count.
 * @throws {DomainError} the timeout error of the domain. @throws {Error} of undici.
 */
export function sendRequest(
  agent: Dispatcher,
  { signal, buffering, limitMs, errors, ...options }: SendRequestOptions,
): Promise<S3Response> {
  return new Promise((resolve, reject) => {
    agent.dispatch(options, new ResponseReader({ signal, buffering, limitMs, errors, resolve, reject }));
  });
}

interface PendingResponse extends Pick<SendRequestOptions, 'signal' | 'buffering' | 'limitMs' | 'errors'> {
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
  #timeout: NodeJS.Timeout | undefined;
  /** Why the request was aborted. */
  #abortReason: Error | undefined;

  constructor(private readonly pending: PendingResponse) {
    const { signal, limitMs } = pending;
    this.#startTimeout(limitMs);
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
    if (this.#isBuffered(this.#head)) {
      this.#chunks = [];
      return;
    }
    this.#startTimeout(BODY_IDLE_TIMEOUT_MS);
    this.#stream = new Readable({
      read: () => {
        if (!controller.paused) return;
        this.#startTimeout(BODY_IDLE_TIMEOUT_MS);
        controller.resume();
      },
      destroy: (error, done) => {
        controller.abort(error ?? new Error('the reader closed the stream'));
        done(error);
      },
    });
    // Without a listener, an error before the first read would end the process.
    this.#stream.on('error', () => undefined);
    this.pending.resolve({ ...this.#head, body: this.#stream });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#chunks) this.#buffer(controller, chunk);
    else if (this.#stream?.push(chunk)) this.#timeout?.refresh();
    else {
      clearTimeout(this.#timeout);
      controller.pause();
    }
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
    if (this.#stream) this.#stream.destroy(this.pending.errors.translate(error));
    else this.pending.reject(error);
  }

  #isBuffered({ statusCode, headers }: Pick<S3Response, 'statusCode' | 'headers'>): boolean {
    if (statusCode !== 200 && statusCode !== 206) return true;
    if (this.pending.buffering !== 'small') return this.pending.buffering === 'always';
    return Number(headers['content-length'] ?? Infinity) <= SMALL_OBJECT_BYTES;
  }

  #buffer(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks?.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes > MAX_BUFFERED_BYTES)
      controller.abort(this.pending.errors.invalidResponse('the response is too large to buffer'));
  }

  #onCallerAbort = (): void => this.#abort(new Error('the caller aborted the request'));

  /** A request in the queue is aborted when it gets a connection; its caller is rejected at once. */
  #abort(reason: Error): void {
    this.#abortReason = reason;
    if (this.#controller) return this.#controller.abort(reason);
    this.#cleanUp();
    this.pending.reject(reason);
  }

  #startTimeout(limitMs: number): void {
    clearTimeout(this.#timeout);
    this.#timeout = setTimeout(() => this.#abort(this.pending.errors.timeout()), limitMs);
  }

  #cleanUp(): void {
    clearTimeout(this.#timeout);
    this.pending.signal?.removeEventListener('abort', this.#onCallerAbort);
  }
}
