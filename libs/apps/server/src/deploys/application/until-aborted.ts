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

/**
 * Iterates, and rejects the pending item when the signal aborts. The source is not notified when its reader stops early.
 * One listener serves all items, because an archive may have 80,000.
 */
export function untilAbortedEach<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncIterableIterator<T> {
  const items = source[Symbol.asyncIterator]();
  let isAborted = signal.aborted;
  let rejectPending: (reason: unknown) => void = () => undefined;
  const abort = () => {
    isAborted = true;
    rejectPending(signal.reason);
  };
  const stop = () => signal.removeEventListener('abort', abort);
  signal.addEventListener('abort', abort, { once: true });
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      rejectPending = reject;
      items.next().then(
        (item) => {
          if (item.done) stop();
          resolve(item);
        },
        (error: unknown) => {
          stop();
          reject(error as Error);
        },
      );
      if (isAborted) abort();
    });
  const each: AsyncIterableIterator<T> = {
    next,
    return: () => {
      stop();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => each,
  };
  return each;
}
