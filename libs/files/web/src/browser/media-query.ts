import { DestroyRef, DOCUMENT, inject, signal, type Signal } from '@angular/core';

/** Whether a media query matches, as a signal. Call it in an injection context. */
export function mediaQuery(query: string): Signal<boolean> {
  const list = (inject(DOCUMENT).defaultView as Window).matchMedia(query);
  const matches = signal(list.matches);
  const update = (): void => matches.set(list.matches);
  list.addEventListener('change', update);
  inject(DestroyRef).onDestroy(() => list.removeEventListener('change', update));
  return matches.asReadonly();
}
