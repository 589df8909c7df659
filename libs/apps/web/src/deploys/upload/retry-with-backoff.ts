import { asHttpProblem, type HttpProblem, delay, pollDelayMs } from '@homeport/platform/web';

/** Attempts before giving up; they take more than a minute. */
const MAX_ATTEMPTS = 8;

/** Whether no usable response arrived, so the outcome is unknown. */
export function isOutcomeUnknown({ kind }: HttpProblem): boolean {
  return kind !== 'refused';
}

/** Retries with growing delays while the server is unreachable. @throws {HttpProblem} */
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
