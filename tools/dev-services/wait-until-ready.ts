import { setTimeout as pause } from 'node:timers/promises';

export interface ReadinessOptions {
  readonly tries: number;
  readonly pauseMilliseconds: number;
  /** Resolves with an error when the process exits. */
  readonly died: Promise<Error>;
  /** Creates the error when the process is not ready in time. */
  readonly late: () => Error;
}

/** Probes a starting process until it is ready. @throws the error of `died` or `late`. */
export async function waitUntilReady(isReady: () => Promise<boolean>, options: ReadinessOptions): Promise<void> {
  for (let tries = 0; tries < options.tries; tries += 1) {
    const result = await Promise.race([isReady(), options.died]);
    if (result instanceof Error) throw result;
    if (result) return;
    await pause(options.pauseMilliseconds);
  }
  throw options.late();
}
