/** Resolves after `ms` milliseconds; rejects with the abort reason when `stop` is aborted. */
export function delay(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    stop.throwIfAborted();
    const cancel = (): void => {
      clearTimeout(timer);
      reject(stop.reason as Error);
    };
    const timer = setTimeout(() => {
      stop.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    stop.addEventListener('abort', cancel, { once: true });
  });
}
