import { DeployInterrupted } from '../../domain/deploys/deploys.errors';
import type { DeployRepository } from './deploy-repository.port';

/** Often enough that two that fail do no harm. */
const RENEW_INTERVAL_MS = 8_000;

/** Keeps a deploy this instance's own for as long as it works on it. */
export class DeployLease {
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(deploys: DeployRepository, id: string) {
    this.#timer = setInterval(() => {
      deploys.renew(id).catch((error: unknown) => {
        // A database that is away may be back before the lease runs out; what it says when it is there counts.
        if (error instanceof DeployInterrupted) this.#lost.abort(error);
      });
    }, RENEW_INTERVAL_MS);
  }

  /** Raised when somebody took the deploy for lost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
