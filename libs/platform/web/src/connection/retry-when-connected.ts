import { effect, inject } from '@angular/core';
import { pollDelayMs } from '../data/poll-delay';
import { Connection } from './connection';

export interface RetryOptions {
  /** Whether the current state is caused by a missing connection. */
  readonly isWanted: () => boolean;
  /** Whether a request is in progress. */
  readonly busy: () => boolean;
  readonly retry: () => void;
}

/**
 * Retries while a retry is needed and the server is reachable: immediately, then with growing delays. It follows the
 * current state and not events, because a failure may be reported long after the connection returned. Requires an
 * injection context.
 */
export function retryWhenConnected({ isWanted, busy, retry }: RetryOptions): void {
  const connection = inject(Connection);
  let tries = 0;
  effect((onCleanup) => {
    if (busy()) return;
    const state = connection.state();
    // A failure over a previous connection says nothing about the current one.
    if (!isWanted() || state === 'offline') tries = 0;
    else if (state === 'connected') {
      const timer = setTimeout(
        () => {
          tries += 1;
          retry();
        },
        tries === 0 ? 0 : pollDelayMs(tries - 1),
      );
      onCleanup(() => clearTimeout(timer));
    }
  });
}
