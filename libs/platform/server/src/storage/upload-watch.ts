import type { Readable } from 'node:stream';
import { type LateError, WRITE_LIMIT_MS } from './time-limit';
import type { ReaderWatch } from './upload-source';

/**
 * When an upload to S3 must be given up: the client left, the body failed, or storage does not take what is there for
 * it. Without such a signal the SDK waits for ever in each of the three cases.
 */
export class UploadWatch implements ReaderWatch {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    body: Readable | Buffer,
    leaving: AbortSignal,
    private readonly late: LateError,
  ) {
    this.signal = AbortSignal.any([leaving, this.#controller.signal]);
    if (!Buffer.isBuffer(body)) body.once('error', (error) => this.#controller.abort(error));
  }

  /** Why it was given up on our side; undefined when it was not. */
  get reason(): unknown {
    return this.#controller.signal.aborted ? this.#controller.signal.reason : undefined;
  }

  waiting(): void {
    this.moving();
    this.#timer = setTimeout(() => this.#controller.abort(this.late()), WRITE_LIMIT_MS);
  }

  moving(): void {
    clearTimeout(this.#timer);
  }
}
