import type { OutageLog } from '../observability/outage-log';

/** One dependency as `/health/ready` sees it. Built in the composition root, next to the adapter it asks. */
export interface HealthProbe {
  readonly name: string;
  /** Whether the instance cannot serve without this dependency; the others are reported and do not gate. */
  readonly gates: boolean;
  /** Milliseconds between two checks while the dependency is up; 2,000 by default. Raise it where calls are rationed. */
  readonly intervalMs?: number;
  /**
   * Where checks that fail and succeed are reported: the log of the adapter, so that an outage is logged once. Absent:
   * the adapter reports all failures itself.
   */
  readonly outages?: Pick<OutageLog, 'failed' | 'succeeded'>;
  /**
   * Resolves when the dependency answers; any rejection counts as down. The next check starts only after this one has
   * settled, so it must settle once `signal` is aborted, or have a time limit of its own.
   */
  check(signal: AbortSignal): Promise<void>;
}

/** What the last finished check of a dependency found. */
export interface HealthState {
  readonly name: string;
  readonly gates: boolean;
  /** `unknown` until the first check has finished. */
  readonly status: 'up' | 'down' | 'unknown';
  /** Why it is down, for the log only. */
  readonly cause?: unknown;
}
