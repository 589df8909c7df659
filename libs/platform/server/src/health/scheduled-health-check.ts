import { backoffMs } from '@homeport/kernel';
import { CodedFailure } from '../observability/failure-cause';
import type { HealthProbe, HealthState } from './health-probe';

const DEFAULT_INTERVAL_MS = 2_000;
const FIRST_RETRY_MS = 500;
/** Varies each delay by up to 20 %, so that many instances do not check at the same time. */
const JITTER = 0.2;

/** The operation name of checks in the outage log. */
const OPERATION = 'health check';

/** Checks one dependency on a schedule, one check at a time, and reports to its outage log. */
export class ScheduledHealthCheck {
  #status: HealthState['status'] = 'unknown';
  #cause: unknown;
  #failures = 0;
  /** Fires at the time limit of the running check, or starts the next check. */
  #timer: NodeJS.Timeout | undefined;
  #running: AbortController | undefined;
  #isStopped = false;
  readonly #finished = Promise.withResolvers<undefined>();
  readonly #passed = Promise.withResolvers<undefined>();

  constructor(
    private readonly probe: HealthProbe,
    private readonly limitMs: number,
  ) {}

  get state(): HealthState {
    const { name, gates } = this.probe;
    return { name, gates, status: this.#status, ...(this.#status === 'down' ? { cause: this.#cause } : {}) };
  }

  /** Resolves when the first check has finished or timed out. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** Resolves when a check succeeds for the first time. */
  get passed(): Promise<void> {
    return this.#passed.promise;
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  async #run(): Promise<void> {
    const began = performance.now();
    const controller = new AbortController();
    this.#running = controller;
    this.#timer = setTimeout(() => {
      controller.abort();
      this.#recordDown(new CodedFailure('timeout', `No answer within ${this.limitMs} ms`));
    }, this.limitMs);
    try {
      await this.probe.check(controller.signal);
      if (!controller.signal.aborted) this.#recordUp();
    } catch (error) {
      if (!controller.signal.aborted) this.#recordDown(error);
    }
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#run(), this.#delay(performance.now() - began));
  }

  /**
   * After a failure, retries soon and then backs off exponentially up to the interval. A gating dependency is retried
   * soon every time: load balancers send no requests until the check succeeds. A failed check that took longer than the
   * delay is followed at once.
   */
  #delay(lastTookMs: number): number {
    const { gates, intervalMs = DEFAULT_INTERVAL_MS } = this.probe;
    const backoff = { firstMs: FIRST_RETRY_MS, maxMs: gates ? FIRST_RETRY_MS : intervalMs };
    const delay = this.#failures === 0 ? intervalMs : backoffMs(this.#failures, backoff);
    const varied = delay * (1 + JITTER * (2 * Math.random() - 1));
    return this.#failures === 0 ? varied : Math.max(0, varied - lastTookMs);
  }

  #recordUp(): void {
    this.probe.outages?.succeeded(OPERATION);
    this.#status = 'up';
    this.#failures = 0;
    this.#finished.resolve(undefined);
    this.#passed.resolve(undefined);
  }

  #recordDown(cause: unknown): void {
    if (this.#isStopped) return;
    this.probe.outages?.failed(cause, OPERATION);
    this.#status = 'down';
    this.#cause = cause;
    this.#failures += 1;
    this.#finished.resolve(undefined);
  }
}
