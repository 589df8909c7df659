import { computed, effect, type Signal, signal, untracked, type WritableSignal } from '@angular/core';
import type { BrowserRow } from './grid/rows';
import { NOTHING_SELECTED, type Selection, selectionAfter } from './grid/selection';

export interface RowSelection {
  readonly selection: WritableSignal<Selection>;
  readonly selectedRows: Signal<readonly BrowserRow[]>;
  /** Whether a tap selects a row although none is selected yet, for touch screens. */
  readonly mode: WritableSignal<boolean>;
  /** Whether rows are being selected. */
  readonly isSelecting: Signal<boolean>;
  /** Deselects all rows and ends the mode. */
  clear(): void;
}

/**
 * The selected rows of a directory. Another directory starts without a selection, and rows that disappear are
 * deselected. Requires an injection context.
 */
export function rowSelection(path: () => string, rows: () => readonly BrowserRow[]): RowSelection {
  const selection = signal(NOTHING_SELECTED);
  const mode = signal(false);
  const clear = (): void => {
    selection.set(NOTHING_SELECTED);
    mode.set(false);
  };
  effect(() => {
    path();
    untracked(clear);
  });
  effect(() => {
    const shown = rows();
    untracked(() => {
      if (selection().ids.size === 0) return;
      const existing = new Set(shown.map(({ id }) => id));
      selection.update((current) => selectionAfter(current, { kind: 'keep', existing }));
      // The last selected row was moved or deleted.
      if (selection().ids.size === 0) mode.set(false);
    });
  });
  const selectedRows = computed(() => {
    const { ids } = selection();
    return ids.size === 0 ? [] : rows().filter(({ id }) => ids.has(id));
  });
  const isSelecting = computed(() => mode() || selection().ids.size > 0);
  return { selection, selectedRows, mode, isSelecting, clear };
}
