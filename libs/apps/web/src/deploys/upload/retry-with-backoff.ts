import { asHttpProblem, type HttpProblem, delay, pollDelayMs } from '@homeport/platform/web';

/** How often something is asked before one gives up: over a minute. */
const MAX_ATTEMPTS = 8;

/** Whether nobody answered, so that nobody knows what has happened. */
export function isOutcomeUnknown({ kind }: HttpProblem): boolean {
  return kind !== 'refused';
}

/** Asks again, ever more rarely, while nobody answers. @throws {HttpProblem} */
export async function retryWithBackoff<T>(ask: () => Promise<T>, stop: AbortSignal): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await ask();
    } catch (error) {
      stop.throwIfAborted();
      const problem = asHttpProblem(error);
      if (!isOutcomeUnknown(problem) || attempts === MAX_ATTEMPTS) throw problem;
      await delay(pollDelayMs(attempts - 1), stop);
    }
  }
}
