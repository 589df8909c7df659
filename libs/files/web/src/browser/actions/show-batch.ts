import { computed } from '@angular/core';
import { type Activities, type Activity, type ActivityView, formatNumber } from '@homeport/platform/web';
import type { Batch, Failure } from '../../client/batch';
import { activityActions, isComplete, activityState } from '../../client/batch-activity';

export interface BatchMessages<T> {
  readonly title: string;
  readonly done: string;
  readonly problem: (failure: Failure<T>) => string;
  /** Called when a retry of the failed items has ended. */
  readonly retried: () => void;
}

/** Shows a batch in the activity list: its progress, its failures, and the actions to cancel and to retry. */
export function showBatch<T>(activities: Activities, batch: Batch<T>, words: BatchMessages<T>): Activity {
  const retry = (): void => void batch.retry().then(words.retried);
  const view = computed((): ActivityView => {
    const batchProgress = batch.progress();
    const { total, done, failures, state } = batchProgress;
    const count = $localize`${formatNumber(done)}:done: of ${formatNumber(total)}:total:`;
    return {
      title: isComplete(batchProgress) ? words.done : words.title,
      detail: state === 'cancelled' ? $localize`Cancelled after ${count}:count:` : count,
      progress: total === 0 ? 1 : done / total,
      state: activityState(batchProgress),
      ...(isComplete(batchProgress) && { announcement: words.done }),
      problems: failures.map(words.problem),
      actions: activityActions(batchProgress, { cancel: () => batch.cancel(), retry }),
    };
  });
  return activities.add(view);
}
