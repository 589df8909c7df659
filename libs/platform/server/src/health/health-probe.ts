import type { OutageLog } from '../observability/outage-log';

/** Checks one dependency for `/health/ready`. Create it in the composition root, next to the adapter it checks. */
export interface HealthProbe {
  readonly name: string;
  /** Whether the instance is not ready while this dependency is down. Other dependencies are only reported. */
  readonly gates: boolean;
  /** Milliseconds between two checks while the dependency is up; 2,000 by default. Raise it for rate-limited APIs. */
  readonly intervalMs?: number;
  /**
   * The outage log of the adapter, so that each outage is logged once. Omit it when the adapter reports failed checks
   * itself.
   */
  readonly outages?: Pick<OutageLog, 'failed' | 'succeeded'>;
  /**
   * Resolves when the dependency responds; any rejection counts as down. The next check starts only after this one has
   * settled, so it must settle when `signal` is aborted or enforce a time limit.
   */
  check(signal: AbortSignal): Promise<void>;
}

/** The result of the last finished check of a dependency. */
export interface HealthState {
  readonly name: string;
  readonly gates: boolean;
  /** `unknown` until the first check has finished. */
  readonly status: 'up' | 'down' | 'unknown';
  /** Why the dependency is down; for the log only. */
  readonly cause?: unknown;
}
