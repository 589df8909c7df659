import { DestroyRef, DOCUMENT, inject, Injectable } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { SwUpdate } from '@angular/service-worker';
import { type ToastHandle, Toasts } from '@homeport/platform/web';
import { filter, fromEvent, interval, merge } from 'rxjs';

const HOUR_MS = 3_600_000;

/** Checks for new versions and offers a reload. It never reloads by itself: the user may have unsaved text. */
@Injectable()
export class Updates {
  readonly #worker = inject(SwUpdate);
  readonly #toasts = inject(Toasts);
  readonly #document = inject(DOCUMENT);
  #offered: ToastHandle | undefined;

  constructor() {
    const destroyed = inject(DestroyRef);
    this.#worker.versionUpdates
      .pipe(
        filter(({ type }) => type === 'VERSION_READY'),
        takeUntilDestroyed(destroyed),
      )
      .subscribe(() => this.#offer($localize`A new version is ready.`));
    this.#worker.unrecoverable
      .pipe(takeUntilDestroyed(destroyed))
      .subscribe(() => this.#offer($localize`This page is out of date and may not work.`));
    const visible = fromEvent(this.#document, 'visibilitychange').pipe(
      filter(() => this.#document.visibilityState === 'visible'),
    );
    merge(visible, interval(HOUR_MS))
      .pipe(takeUntilDestroyed(destroyed))
      // The check fails offline; the next one repeats it.
      .subscribe(() => void this.#worker.checkForUpdate().catch(() => false));
  }

  /** Shows one offer at a time; a newer one replaces it. */
  #offer(text: string): void {
    this.#offered?.close();
    this.#offered = this.#toasts.show(text, {
      label: $localize`Reload`,
      run: () => this.#document.location.reload(),
    });
  }
}
