import { ScheduledHealthCheck } from './scheduled-health-check';
import type { HealthProbe, HealthState } from './health-probe';

const CHECK_LIMIT_MS = 2_000;

export interface HealthMonitorOptions {
  readonly probes: readonly HealthProbe[];
  /** Milliseconds one check may take before the dependency counts as down; 2,000 by default. */
  readonly checkTimeoutMs?: number;
}

/**
 * Checks dependencies in the background, so that whether the instance is ready can be answered at once, however long a
 * dependency takes to answer. It keeps the process alive until it is stopped.
 */
export class HealthMonitor {
  readonly #checks: readonly ScheduledHealthCheck[];
  #isStarted = false;

  constructor({ probes, checkTimeoutMs = CHECK_LIMIT_MS }: HealthMonitorOptions) {
    this.#checks = probes.map((probe) => new ScheduledHealthCheck(probe, checkTimeoutMs));
  }

  /** Starts the first check of every dependency; a second call changes nothing. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const check of this.#checks) check.start();
  }

  stop(): void {
    for (const check of this.#checks) check.stop();
  }

  /** The last known state of every dependency, in the order of the probes. */
  get states(): readonly HealthState[] {
    return this.#checks.map(({ state }) => state);
  }

  /** Resolves when every dependency was checked once: at the latest when the time limit of a check is over. */
  async waitForFirstChecks(): Promise<void> {
    await Promise.all(this.#checks.map(({ finished }) => finished));
  }

  /** Resolves when every dependency that gates was up once. It waits as long as that takes. */
  async waitUntilHealthy(): Promise<void> {
    await Promise.all(this.#checks.filter(({ state }) => state.gates).map(({ passed }) => passed));
  }
}
