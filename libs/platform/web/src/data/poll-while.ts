import { computed, DOCUMENT, effect, inject, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { fromEvent } from 'rxjs';
import { pollDelayMs } from './poll-delay';
import type { ScreenData } from './screen-data';

/**
 * Reloads `data` with growing delays while `isWanted` returns true and the page is visible. Requires an injection
 * context.
 */
export function pollWhile(data: Pick<ScreenData<unknown>, 'busy' | 'reload'>, isWanted: () => boolean): void {
  const document = inject(DOCUMENT);
  const isVisible = signal(document.visibilityState === 'visible');
  fromEvent(document, 'visibilitychange')
    .pipe(takeUntilDestroyed())
    .subscribe(() => isVisible.set(document.visibilityState === 'visible'));
  const isPolling = computed(() => isVisible() && isWanted());
  let polls = 0;
  effect((onCleanup) => {
    if (!isPolling()) polls = 0;
    else if (!data.busy()) {
      const timer = setTimeout(() => {
        polls += 1;
        data.reload();
      }, pollDelayMs(polls));
      onCleanup(() => clearTimeout(timer));
    }
  });
}
