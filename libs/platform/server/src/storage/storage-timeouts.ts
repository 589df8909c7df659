import { combinedSignal } from '@homeport/kernel/node';

/** Milliseconds until storage must start its response, including retries. */
export const RESPONSE_TIMEOUT_MS = 4_500;
/** Milliseconds in which storage may accept no bytes of an upload or process the received ones. */
export const WRITE_TIMEOUT_MS = 20_000;
/** Milliseconds in which storage may send no bytes within a body. */
export const BODY_IDLE_TIMEOUT_MS = 10_000;

/** Creates the timeout error of a domain. */
export type TimeoutErrorFactory = (options?: ErrorOptions) => Error;

/** Calls storage with a time limit. @param callerSignal aborted when the caller no longer needs the response. */
export type TimedCall = <T>(
  call: (signal: AbortSignal) => Promise<T>,
  callerSignal?: AbortSignal,
  limitMs?: number,
) => Promise<T>;

/** Limits the time until storage starts its response. The body has separate limits. */
export function createTimedCall(createError: TimeoutErrorFactory): TimedCall {
  return async (call, callerSignal, limitMs = RESPONSE_TIMEOUT_MS) => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    try {
      return await call(callerSignal ? combinedSignal(callerSignal, limit.signal) : limit.signal);
    } catch (error) {
      throw limit.signal.aborted ? createError({ cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}
