/** Resolves after a while, or rejects when it is stopped. */
export function delay(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    stop.throwIfAborted();
    const leave = (): void => {
      clearTimeout(timer);
      reject(stop.reason as Error);
    };
    const timer = setTimeout(() => {
      stop.removeEventListener('abort', leave);
      resolve();
    }, ms);
    stop.addEventListener('abort', leave, { once: true });
  });
}
