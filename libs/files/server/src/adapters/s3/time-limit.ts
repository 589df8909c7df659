import { StorageTimeout } from '../../domain/files.errors';

/** How long storage may take to begin its answer to a question, repetitions included. */
export const ANSWER_LIMIT_MS = 4_500;
/** How long storage may take none of the bytes that are there for it, or think about the ones it has received. */
export const WRITE_LIMIT_MS = 20_000;

/**
 * Gives storage a time in which to begin its answer; what follows the first byte has limits of its own.
 * @param leaving raised when nobody waits for the answer any more. @throws {StorageTimeout}
 */
export async function inTime<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  leaving?: AbortSignal,
  limitMs = ANSWER_LIMIT_MS,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await ask(leaving ? AbortSignal.any([leaving, limit.signal]) : limit.signal);
  } catch (error) {
    throw limit.signal.aborted ? new StorageTimeout({ cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}
