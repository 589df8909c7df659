import type { Child } from './child-process.ts';

/** A program that ends more often than this in the period does not recover by a restart. */
const RESTARTS = 5;
const PERIOD_MILLISECONDS = 60_000;

export interface SuperviseOptions {
  onRestart: (reason: Error) => void;
  /** Monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Restarts a program when it ends without a stop request, as service managers do.
 * @returns the program, whichever process runs it; `died` resolves when it ends too often.
 */
export function supervise(
  first: Child,
  { onRestart, now = performance.now.bind(performance) }: SuperviseOptions,
): Child {
  let current = first;
  let restarts: number[] = [];
  const watch = async (): Promise<Error> => {
    for (;;) {
      const reason = await current.died;
      restarts = [...restarts.filter((at) => now() - at < PERIOD_MILLISECONDS), now()];
      if (restarts.length > RESTARTS) return reason;
      current = current.restart();
      onRestart(reason);
    }
  };
  return {
    name: first.name,
    get pid() {
      return current.pid;
    },
    get process() {
      return current.process;
    },
    get exited() {
      return current.exited;
    },
    died: watch(),
    tail: () => current.tail(),
    restart: () => current.restart(),
    close: () => current.close(),
  };
}
