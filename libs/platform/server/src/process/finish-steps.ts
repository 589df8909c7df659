import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/** The limit of each step of a stop that has none itself, in milliseconds. */
const STEP_LIMIT_MS = 8_000;

/**
 * Waits for the last steps of a program, such as closing its connections, each up to a limit: the exit that follows frees
 * their resources anyway. Logs which steps did not finish, because the system would kill the program without a reason.
 * @throws the error of a step.
 */
export async function finishSteps(
  steps: Readonly<Record<string, Promise<unknown> | undefined>>,
  log: Pick<Logger, 'warn'>,
  limitMs = STEP_LIMIT_MS,
): Promise<void> {
  const finish = async (step: string, done: Promise<unknown>): Promise<void> => {
    const limit = new AbortController();
    const late = setTimeout(limitMs, true, { signal: limit.signal }).catch(() => false);
    const isLate = await Promise.race([done.then(() => false), late]).finally(() => limit.abort());
    if (isLate) log.warn({ step, limit_ms: limitMs }, 'a step of the stop did not finish');
  };
  await Promise.all(Object.entries(steps).map(([step, done]) => done && finish(step, done)));
}
