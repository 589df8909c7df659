/**
 * Settles with a promise, or rejects with the signal's reason when the signal is aborted first. A library promise that
 * never settles therefore blocks no caller.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    throw signal.reason;
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Iterates with `untilAborted` for each item. The source is not notified when its reader stops early. */
export function untilAbortedEach<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncIterableIterator<T> {
  const items = source[Symbol.asyncIterator]();
  const each: AsyncIterableIterator<T> = {
    next: () => untilAborted(items.next(), signal),
    [Symbol.asyncIterator]: () => each,
  };
  return each;
}
