import type { Logger } from 'pino';
import { endProcess } from './launch';

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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, endProcess).on(signal, onSignal);
}
