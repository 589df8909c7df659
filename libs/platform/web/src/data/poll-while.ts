import { computed, DOCUMENT, effect, inject, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { fromEvent } from 'rxjs';
import { pollDelayMs } from './poll-delay';
import type { ScreenData } from './screen-data';

/**
 * Reads `data` again and again while it is wanted otherwise, ever more rarely, and only while somebody looks. Call it in
 * an injection context.
 */
export function pollWhile(data: Pick<ScreenData<unknown>, 'busy' | 'reload'>, isWanted: () => boolean): void {
  const document = inject(DOCUMENT);
  const isSeen = signal(document.visibilityState === 'visible');
  fromEvent(document, 'visibilitychange')
    .pipe(takeUntilDestroyed())
    .subscribe(() => isSeen.set(document.visibilityState === 'visible'));
  const isPolling = computed(() => isSeen() && isWanted());
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
