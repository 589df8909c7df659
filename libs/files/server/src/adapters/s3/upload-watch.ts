import type { ObjectUpload } from '../../application/object-store.port';
import { StorageTimeout } from '../../domain/files.errors';
import { WRITE_LIMIT_MS } from './time-limit';

/**
 * When an upload to S3 must be given up: the client left, the body failed, or storage does not move. Without such a
 * signal the SDK waits for ever in each of the three cases.
 */
export class UploadWatch {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor({ body, signal }: Pick<ObjectUpload, 'body' | 'signal'>) {
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
    body.once('error', (error) => this.#controller.abort(error));
    // Whoever writes to S3 pauses the body while S3 takes nothing; a client that sends nothing pauses nothing.
    body.on('pause', () => this.#expectMove());
    body.on('resume', () => this.stop());
    body.once('end', () => this.#expectMove());
  }

  /** Why it was given up on our side; undefined when it was not. */
  get reason(): unknown {
    return this.#controller.signal.aborted ? this.#controller.signal.reason : undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #expectMove(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#controller.abort(new StorageTimeout()), WRITE_LIMIT_MS);
  }
}
