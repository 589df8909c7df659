import { effect, inject } from '@angular/core';
import { pollDelayMs } from '../data/poll-delay';
import { Connection } from './connection';

export interface RetryOptions {
  /** Whether what is there is for want of a connection. */
  readonly isWanted: () => boolean;
  /** Whether a try is under way. */
  readonly busy: () => boolean;
  readonly retry: () => void;
}

/**
 * Tries again as long as that is wanted and there is a connection: at once, then ever more rarely. It goes by how things
 * are and not by what happens: what was asked without a connection may be told long after it has come back. Call it in
 * an injection context.
 */
export function retryWhenConnected({ isWanted, busy, retry }: RetryOptions): void {
  const connection = inject(Connection);
  let tries = 0;
  effect((onCleanup) => {
    if (busy()) return;
    const state = connection.state();
    // What failed over another connection says nothing about this one.
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
