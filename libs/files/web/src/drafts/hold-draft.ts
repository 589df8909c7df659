/** How long an editor that is being closed may take to let go of its draft. */
const HANDOVER_MS = 800;

/**
 * Takes a draft for one editor, until it is released or the page is gone: two that write one draft would lose what one
 * of them wrote. Undefined when another editor has it.
 */
export async function holdDraft(id: string): Promise<(() => void) | undefined> {
  if (!('locks' in navigator)) return () => undefined;
  const held = Promise.withResolvers<undefined>();
  const taken = Promise.withResolvers<boolean>();
  navigator.locks
    .request(`homeport.draft.${id}`, { signal: AbortSignal.timeout(HANDOVER_MS) }, () => {
      taken.resolve(true);
      return held.promise;
    })
    .catch(() => taken.resolve(false));
  return (await taken.promise) ? () => held.resolve(undefined) : undefined;
}
