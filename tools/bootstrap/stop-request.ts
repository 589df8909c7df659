/** One Ctrl-C reaches us several times: from the terminal, and passed on by npm. */
const SAME_KEYSTROKE_MILLISECONDS = 1_500;

/**
 * Aborts when the user or the parent asks to stop. Asking again, later, ends at once: children follow on their own.
 */
export function stopRequest(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const ask = (): void => {
    if (!controller.signal.aborted) {
      first = Date.now();
      controller.abort();
      return;
    }
    if (Date.now() - first > SAME_KEYSTROKE_MILLISECONDS) process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  process.on('disconnect', () => controller.abort());
  // A terminal that was closed takes our output with it; we still have to stop everything.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return controller.signal;
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
