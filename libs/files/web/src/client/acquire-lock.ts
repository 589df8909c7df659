/** How long a page that is being closed may take to let go. */
const HANDOVER_MS = 800;

/**
 * Takes something of this device for one page alone, until it is released or the page is gone. Undefined when another
 * one has it.
 */
export async function acquireLock(name: string): Promise<(() => void) | undefined> {
  if (!('locks' in navigator)) return () => undefined;
  const held = Promise.withResolvers<undefined>();
  const taken = Promise.withResolvers<boolean>();
  navigator.locks
    .request(`homeport.${name}`, { signal: AbortSignal.timeout(HANDOVER_MS) }, () => {
      taken.resolve(true);
      return held.promise;
    })
    .catch(() => taken.resolve(false));
  return (await taken.promise) ? () => held.resolve(undefined) : undefined;
}
