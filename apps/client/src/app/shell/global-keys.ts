import { DestroyRef, DOCUMENT, inject } from '@angular/core';
import { isEditable, pageShortcuts, Palette, Toasts } from '@homeport/platform/web';

/**
 * Registers the keyboard shortcuts of every page. Requires an injection context.
 *
 * @param canSearch whether the search palette is available.
 */
export function globalKeys(canSearch: () => boolean): void {
  const document = inject(DOCUMENT);
  const palette = inject(Palette);
  const toasts = inject(Toasts);
  const press = (event: KeyboardEvent): void => {
    const action = actionFor(event, canSearch());
    // An open modal dialog handles its own keys.
    if (!action || event.defaultPrevented || document.querySelector('[aria-modal="true"]')) return;
    if (action === 'undo') {
      if (toasts.undo()) event.preventDefault();
      return;
    }
    event.preventDefault();
    void palette[action]();
  };
  document.addEventListener('keydown', press);
  inject(DestroyRef).onDestroy(() => document.removeEventListener('keydown', press));
  pageShortcuts(() => ({
    heading: $localize`Everywhere`,
    shortcuts: [
      { keys: ['Mod', 'K'], label: $localize`Search files, apps and commands` },
      { keys: ['/'], label: $localize`Search (alternative)` },
      { keys: ['Mod', 'Z'], label: $localize`Undo` },
      { keys: ['?'], label: $localize`Show this help` },
      { keys: ['Esc'], label: $localize`Close dialog or menu` },
    ],
  }));
}

function actionFor(event: KeyboardEvent, canSearch: boolean): 'open' | 'help' | 'undo' | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const modified = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase();
  if (modified === 'k') return canSearch ? 'open' : undefined;
  // Text fields undo their own changes.
  if (modified === 'z') return isEditable(target) ? undefined : 'undo';
  if (ctrlKey || metaKey || altKey || isEditable(target)) return undefined;
  if (key === '/') return canSearch ? 'open' : undefined;
  return key === '?' ? 'help' : undefined;
}
