import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { StorageFailed, StorageTimeout } from '../../domain/files.errors';
import { transportErrorOf } from './s3-http-errors';

/** What S3 answers. */
export interface S3Response {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** A stream must be consumed or destroyed. */
  readonly body: Readable | Buffer;
}

/** So little is held whole: streaming it costs more, and one that breaks off is still a failure with a name. */
const BUFFERED_OBJECT_BYTES = 64 * 1024;
/** A page of the longest keys there can be takes half of it. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

export interface SendRequestOptions extends Dispatcher.DispatchOptions {
  /** Raised when nobody waits for the answer any more. */
  readonly leaving?: AbortSignal | undefined;
  /** Whether an answer of unknown length is wanted whole. */
  readonly isBodyBuffered: boolean;
  /** Until the answer has begun or, where it is held, is there; the wait for a free connection counts. */
  readonly limitMs: number;
}

/**
 * One request and its answer, on the lowest level of undici: its `request` makes a stream and watches it, which costs
 * as much as sending. @throws {StorageTimeout} @throws {Error} of undici.
 */
export function sendRequest(
  agent: Dispatcher,
  { leaving, isBodyBuffered, limitMs, ...options }: SendRequestOptions,
): Promise<S3Response> {
  return new Promise((resolve, reject) => {
    agent.dispatch(options, new ResponseReader({ leaving, isBodyBuffered, limitMs, resolve, reject }));
  });
}

interface PendingResponse extends Pick<SendRequestOptions, 'leaving' | 'isBodyBuffered' | 'limitMs'> {
  readonly resolve: (answer: S3Response) => void;
  readonly reject: (error: Error) => void;
}

/** Takes an answer as it comes: into memory, or into a stream with back pressure. */
class ResponseReader implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #start: Pick<S3Response, 'statusCode' | 'headers'> | undefined;
  #held: Buffer[] | undefined;
  #heldBytes = 0;
  #stream: Readable | undefined;
  readonly #limit: NodeJS.Timeout;
  /** Why nobody waits any more. */
  #givenUp: Error | undefined;

  constructor(private readonly reading: PendingResponse) {
    const { leaving, limitMs } = reading;
    this.#limit = setTimeout(() => this.#giveUp(new StorageTimeout()), limitMs);
    if (leaving?.aborted) this.#leave();
    else leaving?.addEventListener('abort', this.#leave, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#givenUp) controller.abort(this.#givenUp);
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#start = { statusCode, headers };
    const length = Number(headers['content-length'] ?? Infinity);
    const isObject = (statusCode === 200 || statusCode === 206) && !this.reading.isBodyBuffered;
    if (!isObject || length <= BUFFERED_OBJECT_BYTES) {
      this.#held = [];
      return;
    }
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        controller.abort(error ?? new Error('nobody reads the object any more'));
        done(error);
      },
    });
    // Until somebody reads it nobody listens, and an unheard error would end the process.
    this.#stream.on('error', () => undefined);
    clearTimeout(this.#limit);
    this.reading.resolve({ ...this.#start, body: this.#stream });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held) this.#hold(controller, chunk);
    else if (this.#stream?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#stopWatching();
    this.#stream?.push(null);
    if (!this.#held || !this.#start) return;
    const body = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.reading.resolve({ ...this.#start, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stopWatching();
    if (this.#stream) this.#stream.destroy(transportErrorOf(error));
    else this.reading.reject(error);
  }

  #hold(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#held?.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > MAX_BUFFERED_BYTES)
      controller.abort(new StorageFailed({ cause: new Error('the answer has no end') }));
  }

  #leave = (): void => this.#giveUp(new Error('nobody waits for the answer any more'));

  /** A request that still waits for a connection is told when its turn comes; its caller hears of it now. */
  #giveUp(reason: Error): void {
    this.#givenUp = reason;
    if (this.#controller) return this.#controller.abort(reason);
    this.#stopWatching();
    this.reading.reject(reason);
  }

  #stopWatching(): void {
    clearTimeout(this.#limit);
    this.reading.leaving?.removeEventListener('abort', this.#leave);
  }
}
