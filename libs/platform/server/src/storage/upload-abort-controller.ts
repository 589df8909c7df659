import type { Readable } from 'node:stream';
import { type TimeoutErrorFactory, WRITE_TIMEOUT_MS } from './storage-timeouts';
import type { BackpressureObserver } from './upload-source';

/**
 * When an upload to S3 must be given up: the client left, the body failed, or storage does not take what is there for
 * it. Without such a signal the SDK waits for ever in each of the three cases.
 */
export class UploadAbortController implements BackpressureObserver {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    body: Readable | Buffer,
    leaving: AbortSignal,
    private readonly late: TimeoutErrorFactory,
  ) {
    this.signal = AbortSignal.any([leaving, this.#controller.signal]);
    if (!Buffer.isBuffer(body)) body.once('error', (error) => this.#controller.abort(error));
  }

  /** Why it was given up on our side; undefined when it was not. */
  get reason(): unknown {
    return this.#controller.signal.aborted ? this.#controller.signal.reason : undefined;
  }

  paused(): void {
    this.resumed();
    this.#timer = setTimeout(() => this.#controller.abort(this.late()), WRITE_TIMEOUT_MS);
  }

  resumed(): void {
    clearTimeout(this.#timer);
  }
}
