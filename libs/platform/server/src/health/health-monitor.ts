import { ScheduledHealthCheck } from './scheduled-health-check';
import type { HealthProbe, HealthState } from './health-probe';

const CHECK_LIMIT_MS = 2_000;

export interface HealthMonitorOptions {
  readonly probes: readonly HealthProbe[];
  /** Milliseconds one check may take before the dependency counts as down; 2,000 by default. */
  readonly checkTimeoutMs?: number;
}

/**
 * Checks dependencies in the background, so that the readiness endpoint responds at once while a dependency is slow.
 * Its timers keep the process alive until `stop` is called.
 */
export class HealthMonitor {
  readonly #checks: readonly ScheduledHealthCheck[];
  #isStarted = false;

  constructor({ probes, checkTimeoutMs = CHECK_LIMIT_MS }: HealthMonitorOptions) {
    this.#checks = probes.map((probe) => new ScheduledHealthCheck(probe, checkTimeoutMs));
  }

  /** Starts the first check of every dependency. Further calls do nothing. */
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

  /** Resolves when the first check of every dependency has finished or timed out. */
  async waitForFirstChecks(): Promise<void> {
    await Promise.all(this.#checks.map(({ finished }) => finished));
  }

  /** Resolves when every gating dependency was up at least once. It has no time limit. */
  async waitUntilHealthy(): Promise<void> {
    await Promise.all(this.#checks.filter(({ state }) => state.gates).map(({ passed }) => passed));
  }
}
