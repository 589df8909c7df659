import type { Readable } from 'node:stream';
import { combinedSignal } from '@homeport/kernel/node';
import { type TimeoutErrorFactory, WRITE_TIMEOUT_MS } from './storage-timeouts';
import type { BackpressureObserver } from './upload-source';

/**
 * Aborts an upload to S3 when the client disconnects, the body fails, or storage stops accepting bytes. The SDK has no
 * time limit for these cases.
 */
export class UploadAbortController implements BackpressureObserver {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    body: Readable | Buffer,
    callerSignal: AbortSignal,
    private readonly createTimeoutError: TimeoutErrorFactory,
  ) {
    this.signal = combinedSignal(callerSignal, this.#controller.signal);
    if (!Buffer.isBuffer(body)) body.once('error', (error) => this.#controller.abort(error));
  }

  /** Why the server aborted the upload; `undefined` when it did not, including when the client disconnected. */
  get reason(): unknown {
    return this.#controller.signal.aborted ? this.#controller.signal.reason : undefined;
  }

  paused(): void {
    this.resumed();
    this.#timer = setTimeout(() => this.#controller.abort(this.createTimeoutError()), WRITE_TIMEOUT_MS);
  }

  resumed(): void {
    clearTimeout(this.#timer);
  }
}
