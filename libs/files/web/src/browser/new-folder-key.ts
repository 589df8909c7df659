import { DestroyRef, DOCUMENT, inject } from '@angular/core';
import { isEditable } from '@homeport/platform/web';

/** Calls `run` when Alt+N is pressed outside text fields and dialogs. Requires an injection context. */
export function newFolderKey(run: () => void): void {
  const document = inject(DOCUMENT);
  const press = (event: KeyboardEvent): void => {
    const { code, altKey, ctrlKey, metaKey, shiftKey, target } = event;
    // The code, because Option+N types an accent on a Mac. AltGr counts as Ctrl and Alt.
    if (code !== 'KeyN' || !altKey || ctrlKey || metaKey || shiftKey || event.defaultPrevented) return;
    if (isEditable(target) || document.querySelector('[aria-modal="true"]')) return;
    event.preventDefault();
    run();
  };
  document.addEventListener('keydown', press);
  inject(DestroyRef).onDestroy(() => document.removeEventListener('keydown', press));
}
