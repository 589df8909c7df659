/** How long to wait for a closing page to release its lock. */
const TIMEOUT_MS = 800;

/**
 * Acquires a lock for this page. Only one page on this device can hold it; it is released by the returned function or
 * when the page closes.
 * @returns the function that releases the lock; undefined when another page holds it.
 */
export async function acquireLock(name: string): Promise<(() => void) | undefined> {
  if (!('locks' in navigator)) return () => undefined;
  const released = Promise.withResolvers<undefined>();
  const acquired = Promise.withResolvers<boolean>();
  navigator.locks
    .request(`homeport.${name}`, { signal: AbortSignal.timeout(TIMEOUT_MS) }, () => {
      acquired.resolve(true);
      return released.promise;
    })
    .catch(() => acquired.resolve(false));
  return (await acquired.promise) ? () => released.resolve(undefined) : undefined;
}
