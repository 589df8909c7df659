import type { ActivityView } from '@homeport/platform/web';
import type { Failure, BatchProgress } from './batch';

export interface BatchHandlers {
  readonly cancel: () => void;
  readonly retry: () => void;
}

/** What is refused for what it is, and not for how things stand, is refused again. */
const NON_RETRYABLE_STATUSES: readonly number[] = [400, 413];

/** How a batch stands, for those who look at it. */
export function activityState({ state, failures }: BatchProgress<unknown>): ActivityView['state'] {
  if (state !== 'ended') return state;
  return failures.length > 0 ? 'failed' : 'done';
}

/** Whether everything that was asked for is done: one that was cancelled is not. */
export function isComplete({ state, total, done }: BatchProgress<unknown>): boolean {
  return state === 'ended' && done === total;
}

/** What can be done about a batch as it stands: what was cancelled is begun anew by whoever wants it. */
export function activityActions(
  { state, failures }: BatchProgress<unknown>,
  ways: BatchHandlers,
): ActivityView['actions'] {
  if (state === 'running') return [{ label: $localize`Cancel`, run: ways.cancel }];
  const isWorthIt = state === 'ended' && failures.some(isRetryable);
  return isWorthIt ? [{ label: $localize`Retry failed`, run: ways.retry }] : [];
}

function isRetryable({ problem }: Failure<unknown>): boolean {
  return !NON_RETRYABLE_STATUSES.includes(problem.status);
}
