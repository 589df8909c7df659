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
  #idle: NodeJS.Timeout;

  constructor({ totalMs, idleMs }: ProcessingLimits) {
    const abort = () => this.#controller.abort(new DeployTimeout());
    this.#total = setTimeout(abort, totalMs);
    this.#idle = setTimeout(abort, idleMs);
  }

  /** Aborted with `DeployTimeout`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Says that something was read or stored. */
  progress(): void {
    this.#idle.refresh();
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
  }
}
