import type { Logger } from 'pino';

/** The time of the last steps, in milliseconds. Process managers wait 29 s after the notice, and requests take up to 25. */
const LAST_STEPS_MS = 3_000;
/** The time of a step that begins when the limit is over. */
const LEAST_MS = 250;

/**
 * Waits for the steps of a shutdown, such as closing the databases, up to one time limit. It logs a step that hangs and
 * does not wait for it any longer: the exit frees its resources anyway. Without a limit, the process manager would kill
 * the process, and the log would not say why.
 */
export class ShutdownSteps {
  readonly #end: number;

  /** @param requestsLimitMs the time that requests have before the last steps. */
  constructor(
    private readonly log: Pick<Logger, 'warn' | 'error'>,
    requestsLimitMs: number,
  ) {
    this.#end = performance.now() + requestsLimitMs + LAST_STEPS_MS;
  }

  /**
   * Waits for steps that have begun, by name. Logs those that fail or exceed the limit.
   * @throws the first error, after all steps.
   */
  async wait(steps: Readonly<Record<string, Promise<unknown> | undefined>>): Promise<void> {
    const limitMs = Math.max(LEAST_MS, this.#end - performance.now());
    const waits = Object.entries(steps).map(([step, done]) => done && this.#waitFor(step, done, limitMs));
    const failed = (await Promise.allSettled(waits)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  async #waitFor(step: string, done: Promise<unknown>, limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<true>((resolve) => (timer = setTimeout(resolve, limitMs, true)));
    try {
      const isLate = await Promise.race([done.then(() => false), limit]);
      if (isLate) this.log.warn({ step }, 'a shutdown step did not finish');
    } catch (error) {
      this.log.error({ step, err: error }, 'a shutdown step failed');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
