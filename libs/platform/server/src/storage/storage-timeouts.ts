/** How long storage may take to begin its answer to a question, repetitions included. */
export const RESPONSE_TIMEOUT_MS = 4_500;
/** How long storage may take none of the bytes that are there for it, or think about the ones it has received. */
export const WRITE_TIMEOUT_MS = 20_000;
/** How long storage may send nothing amid a body. */
export const BODY_IDLE_TIMEOUT_MS = 10_000;

/** What a domain raises when its storage is late. */
export type TimeoutErrorFactory = (options?: ErrorOptions) => Error;

/** Asks storage something. @param leaving raised when nobody waits for the answer any more. */
export type TimedCall = <T>(
  ask: (signal: AbortSignal) => Promise<T>,
  leaving?: AbortSignal,
  limitMs?: number,
) => Promise<T>;

/** Gives storage a time in which to begin its answer; what follows the first byte has limits of its own. */
export function createTimedCall(late: TimeoutErrorFactory): TimedCall {
  return async (ask, leaving, limitMs = RESPONSE_TIMEOUT_MS) => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    try {
      return await ask(leaving ? AbortSignal.any([leaving, limit.signal]) : limit.signal);
    } catch (error) {
      throw limit.signal.aborted ? late({ cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}
