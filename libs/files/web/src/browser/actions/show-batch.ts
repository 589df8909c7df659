import { computed } from '@angular/core';
import { type Activities, type Activity, type ActivityFace, formatNumber } from '@homeport/platform/web';
import type { Batch, Failure } from '../../client/batch';
import { actionsOf, isAllDone, stateOf } from '../../client/batch-face';

export interface BatchWords<T> {
  readonly title: string;
  readonly done: string;
  readonly problem: (failure: Failure<T>) => string;
  /** Called when what failed has been tried again. */
  readonly retried: () => void;
}

/** Shows a batch with its progress, what failed, and the ways to stop it and to try again. */
export function showBatch<T>(activities: Activities, batch: Batch<T>, words: BatchWords<T>): Activity {
  const retry = (): void => void batch.retry().then(words.retried);
  const face = computed((): ActivityFace => {
    const standing = batch.standing();
    const { total, done, failures, state } = standing;
    const count = $localize`${formatNumber(done)}:done: of ${formatNumber(total)}:total:`;
    return {
      title: isAllDone(standing) ? words.done : words.title,
      detail: state === 'cancelled' ? $localize`Cancelled after ${count}:count:` : count,
      progress: total === 0 ? 1 : done / total,
      state: stateOf(standing),
      problems: failures.map(words.problem),
      actions: actionsOf(standing, { cancel: () => batch.cancel(), retry }),
    };
  });
  return activities.add(face);
}
