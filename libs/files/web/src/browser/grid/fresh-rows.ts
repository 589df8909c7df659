import { DestroyRef, inject, signal, type Signal } from '@angular/core';
import { FileIndex } from '../../client/file-index';
import { fileId } from './rows';

/** The duration of the highlight in the style sheet. */
const FRESH_MS = 1_600;
/** With more files at once, a highlight shows nothing. */
const MAX_FRESH = 50;

/** The rows of files that were just written, to highlight them for a moment. Requires an injection context. */
export function freshRows(): Signal<ReadonlySet<string>> {
  const ids = signal<ReadonlySet<string>>(new Set());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const removeListener = inject(FileIndex).onChange(({ added }) => {
    if (added.length === 0) return;
    clearTimeout(timer);
    ids.set(new Set(added.length > MAX_FRESH ? [] : added.map(({ key }) => fileId(key))));
    timer = setTimeout(() => ids.set(new Set()), FRESH_MS);
  });
  inject(DestroyRef).onDestroy(() => {
    removeListener();
    clearTimeout(timer);
  });
  return ids.asReadonly();
}
