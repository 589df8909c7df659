/**
 * A signal that is aborted with the first of several, as `AbortSignal.any` is. Node.js keeps each signal of
 * `AbortSignal.any` that has a listener until one of the others is aborted, and with it what the listener needs: for a
 * request, its body. This one ends with its last reference.
 * @param signals of the same operation: each keeps the combined signal as long as it exists itself.
 */
export function combinedSignal(...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return controller.signal;
}
