import type { ObjectUpload } from '../../application/object-store.port';
import { StorageTimeout } from '../../domain/files.errors';

/** How long storage may think about a body it has received whole. */
const ANSWER_LIMIT_MS = 30_000;

/**
 * When an upload to S3 must be given up: the client left, the body failed, or storage has all of it and says nothing.
 * Without such a signal the SDK waits for ever in each of the three cases.
 */
export class UploadWatch {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor({ body, signal }: Pick<ObjectUpload, 'body' | 'signal'>) {
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
    body.once('error', (error) => this.#controller.abort(error));
    body.once('end', () => {
      this.#timer = setTimeout(() => this.#controller.abort(new StorageTimeout()), ANSWER_LIMIT_MS);
    });
  }

  /** Why it was given up on our side; undefined when it was not. */
  get reason(): unknown {
    return this.#controller.signal.aborted ? this.#controller.signal.reason : undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
