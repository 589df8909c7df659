import { computed } from '@angular/core';
import { type Activities, type Activity, type ActivityFace, formatNumber } from '@homeport/platform/web';
import type { Batch, Failure } from '../../client/batch';

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
    const { total, done, failures, state } = batch.standing();
    const hasFailed = failures.length > 0;
    const count = $localize`${formatNumber(done)}:done: of ${formatNumber(total)}:total:`;
    const running = state === 'running';
    return {
      title: state === 'ended' && !hasFailed ? words.done : words.title,
      detail: state === 'cancelled' ? $localize`Cancelled after ${count}:count:` : count,
      progress: total === 0 ? 1 : done / total,
      state: running ? 'running' : state === 'cancelled' ? 'cancelled' : hasFailed ? 'failed' : 'done',
      problems: failures.map(words.problem),
      actions: running
        ? [{ label: $localize`Cancel`, run: () => batch.cancel() }]
        : hasFailed
          ? [{ label: $localize`Retry failed`, run: retry }]
          : [],
    };
  });
  return activities.add(face);
}
