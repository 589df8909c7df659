import type { ActivityFace } from '@homeport/platform/web';
import type { Failure, Standing } from './batch';

export interface BatchWays {
  readonly cancel: () => void;
  readonly retry: () => void;
}

/** What is refused for what it is, and not for how things stand, is refused again. */
const FINAL: readonly number[] = [400, 413];

/** How a batch stands, for those who look at it. */
export function stateOf({ state, failures }: Standing<unknown>): ActivityFace['state'] {
  if (state !== 'ended') return state;
  return failures.length > 0 ? 'failed' : 'done';
}

/** Whether everything that was asked for is done: one that was cancelled is not. */
export function isAllDone({ state, total, done }: Standing<unknown>): boolean {
  return state === 'ended' && done === total;
}

/** What can be done about a batch as it stands: what was cancelled is begun anew by whoever wants it. */
export function actionsOf({ state, failures }: Standing<unknown>, ways: BatchWays): ActivityFace['actions'] {
  if (state === 'running') return [{ label: $localize`Cancel`, run: ways.cancel }];
  const isWorthIt = state === 'ended' && failures.some(mayWork);
  return isWorthIt ? [{ label: $localize`Retry failed`, run: ways.retry }] : [];
}

function mayWork({ problem }: Failure<unknown>): boolean {
  return !FINAL.includes(problem.status);
}
