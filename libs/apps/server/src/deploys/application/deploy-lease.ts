import { DeployInterrupted } from '../domain/deploys.errors';
import type { DeployRepository } from './deploy-repository.port';

/** Tolerates two missed renewals. */
const RENEW_INTERVAL_MS = 8_000;

/** Renews the lease of a deploy while this instance works on it. */
export class DeployLease {
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(deploys: DeployRepository, id: string) {
    this.#timer = setInterval(() => {
      deploys.renew(id).catch((error: unknown) => {
        // Other errors are ignored: an unavailable database may recover before the lease expires.
        if (error instanceof DeployInterrupted) this.#lost.abort(error);
      });
    }, RENEW_INTERVAL_MS);
  }

  /** Aborted when the lease was lost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
