import { DeployTimeout } from '../../domain/deploys/deploys.errors';

export interface ProcessingLimits {
  /** Milliseconds for all of it. */
  readonly totalMs: number;
  /** Milliseconds in which something has to move on. */
  readonly idleMs: number;
}

/** Ends the processing of a deploy that takes too long in all, or in which nothing moves any more. */
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

  /** Says that something was read or stored. */
  progress(): void {
    // A refresh would start a cleared timer again.
    if (!this.#hasEnded) this.#idle.refresh();
  }

  /**
   * Suspends the idle limit while processing waits for other deploys. Pauses may overlap.
   * @returns ends the pause and restarts the idle limit; to be called once.
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
