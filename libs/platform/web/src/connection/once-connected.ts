import { effect, inject, untracked } from '@angular/core';
import { Connection } from './connection';

/** Calls back each time the connection is there again. Call it in an injection context. */
export function onceConnected(back: () => void): void {
  const connection = inject(Connection);
  let was = connection.state();
  effect(() => {
    const state = connection.state();
    if (was !== 'connected' && state === 'connected') untracked(back);
    was = state;
  });
}
