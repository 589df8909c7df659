import { DeployTimeout } from '../domain/deploys.errors';

export interface ProcessingLimits {
  /** Milliseconds for the whole processing. */
  readonly totalMs: number;
  /** Milliseconds without progress. */
  readonly idleMs: number;
}

/** Aborts the processing of a deploy that takes too long in total, or that makes no progress. */
export class ProcessingLimit {
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  readonly #idle: NodeJS.Timeout;
  #pauses = 0;
  #hasEnded = false;

  constructor({ totalMs, idleMs }: ProcessingLimits) {
    const abort = () => this.#controller.abort(new DeployTimeout());
    this.#total = setTimeout(abort, totalMs);
    this.#idle = setTimeout(() => (this.#pauses > 0 ? this.progress() : abort()), idleMs);
  }

  /** Aborted with `DeployTimeout`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Reports progress: something was read or stored. */
  progress(): void {
    // A refresh would restart a cleared timer.
    if (!this.#hasEnded) this.#idle.refresh();
  }

  /**
   * Suspends the idle limit while processing waits for other deploys. Pauses may overlap.
   * @returns a function that ends the pause and restarts the idle limit; call it once.
   */
  pauseIdle(): () => void {
    this.#pauses += 1;
    return () => {
      this.#pauses -= 1;
      this.progress();
    };
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
  }
}
