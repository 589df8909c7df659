import { setTimeout } from 'node:timers/promises';
import type { RetryPolicy } from '@homeport/api-client';
import type { Terminal } from './terminal/terminal';

/** The limit of requests starts anew each minute: a command with more requests continues then. */
const MAX_WAIT_MS = 65_000;
/** Only servers ask for longer waits; the others are shorter. */
const LONG_MS = 30_000;

type Sleep = RetryPolicy['wait'];

/** Waits as long as servers ask for, and says so once when several requests wait. @param sleep replaced in tests. */
export function retriesWithNotice(
  terminal: Pick<Terminal, 'note'>,
  sleep: Sleep = abortableSleep,
): Pick<RetryPolicy, 'maxWaitMs' | 'wait'> {
  let waiting = 0;
  return {
    maxWaitMs: MAX_WAIT_MS,
    wait: async (milliseconds, signal) => {
      if (milliseconds <= LONG_MS) return sleep(milliseconds, signal);
      if (waiting++ === 0)
        terminal.note(`The server limits requests: continuing in ${Math.ceil(milliseconds / 1_000)} s.`);
      await sleep(milliseconds, signal).finally(() => waiting--);
    },
  };
}

async function abortableSleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  await setTimeout(milliseconds, undefined, signal ? { signal } : {});
}
