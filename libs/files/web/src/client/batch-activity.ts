import type { ActivityView } from '@homeport/platform/web';
import type { Failure, BatchProgress } from './batch';

export interface BatchHandlers {
  readonly cancel: () => void;
  readonly retry: () => void;
}

/** Invalid or too large requests: a retry would be rejected again. */
const NON_RETRYABLE_STATUSES: readonly number[] = [400, 413];

/** The state of a batch, as the activity list shows it. */
export function activityState({ state, failures }: BatchProgress<unknown>): ActivityView['state'] {
  if (state !== 'ended') return state;
  return failures.length > 0 ? 'failed' : 'done';
}

/** Whether all items are done; false for a cancelled batch. */
export function isComplete({ state, total, done }: BatchProgress<unknown>): boolean {
  return state === 'ended' && done === total;
}

/** The actions for a batch in its current state. A cancelled batch has none: the user starts a new one instead. */
export function activityActions(
  { state, failures }: BatchProgress<unknown>,
  handlers: BatchHandlers,
): ActivityView['actions'] {
  if (state === 'running') return [{ label: $localize`Cancel`, run: handlers.cancel }];
  const canRetry = state === 'ended' && failures.some(isRetryable);
  return canRetry ? [{ label: $localize`Retry failed`, run: handlers.retry }] : [];
}

function isRetryable({ problem }: Failure<unknown>): boolean {
  return !NON_RETRYABLE_STATUSES.includes(problem.status);
}
