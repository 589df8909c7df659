import type { Logger } from 'pino';

/** What is left of a shutdown after its requests, in milliseconds. Process managers allow 29 s, of which requests get 25 s. */
const LAST_STEPS_MS = 3_000;
/** A step that begins after the limit, such as closing a connection that nothing uses. */
const LEAST_MS = 500;

/**
 * The steps of a shutdown, such as closing the databases, within one time limit. A step that hangs is logged and left
 * behind, because the exit frees its resources anyway; the process manager would kill the program without a reason.
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
