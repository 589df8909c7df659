import { computed, DOCUMENT, effect, inject, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import type { ScreenData } from '@homeport/platform/web';
import { fromEvent } from 'rxjs';
import { pollDelayMs } from './poll-delay';

/**
 * Reads `data` again and again while something is about to change, ever more rarely, and only while somebody looks.
 * Call it in an injection context.
 */
export function pollWhile<T>(data: ScreenData<T>, isWanted: () => boolean): void {
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
