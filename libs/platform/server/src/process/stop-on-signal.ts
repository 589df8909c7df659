import type { Logger } from 'pino';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends the process with 0 on SIGTERM or SIGINT, until `stopOnSignal` takes over. Without it, a program that is process 1
 * of a container could not be stopped while it starts: the kernel ignores its signals that have no handler.
 */
export function endOnSignal(): void {
  for (const signal of SIGNALS) process.on(signal, end);
}

function end(): void {
  process.exit(0);
}

/** Stops gracefully on the first SIGTERM or SIGINT and exits at once on the second one. */
export function stopOnSignal(stop: () => Promise<void>, log: Logger): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of SIGNALS) process.off(signal, end).on(signal, onSignal);
}
