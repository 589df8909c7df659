/** One Ctrl-C arrives several times: from the terminal, and passed on by npm. */
const SAME_KEYSTROKE_MILLISECONDS = 1_500;

/**
 * Aborts when the user or the parent asks to stop. A second,
 * later request exits at once; children exit with their parent.
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
  // A closed terminal breaks our output; shutdown must still complete.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return controller.signal;
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
