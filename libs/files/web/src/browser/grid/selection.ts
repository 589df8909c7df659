/** The selected rows, by their ids. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** The row where a range begins. */
  readonly anchor: string | undefined;
  /** The rows selected before the range began: changing the range leaves them selected. */
  readonly outsideRange: ReadonlySet<string>;
}

export type SelectionChange =
  | { readonly kind: 'toggle'; readonly id: string }
  /** Selects from the anchor to `id` in the order of `order`. Without an anchor, the range begins at `from`. */
  | { readonly kind: 'extend'; readonly id: string; readonly order: readonly string[]; readonly from?: string }
  | { readonly kind: 'all'; readonly order: readonly string[] }
  | { readonly kind: 'clear' }
  /** Deselects rows that no longer exist. */
  | { readonly kind: 'keep'; readonly existing: ReadonlySet<string> };

const EMPTY: ReadonlySet<string> = new Set();
export const NOTHING_SELECTED: Selection = { ids: EMPTY, anchor: undefined, outsideRange: EMPTY };

/** The selection after a change. */
export function selectionAfter(selection: Selection, change: SelectionChange): Selection {
  switch (change.kind) {
    case 'toggle':
      return toggled(selection, change.id);
    case 'extend':
      return extended(selection, change.order, change.id, change.from);
    case 'all':
      return { ids: new Set(change.order), anchor: change.order[0], outsideRange: EMPTY };
    case 'keep':
      return restricted(selection, change.existing);
    case 'clear':
      return NOTHING_SELECTED;
  }
}

function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next.size === 0 ? NOTHING_SELECTED : { ids: next, anchor: id, outsideRange: next };
}

function extended(selection: Selection, order: readonly string[], id: string, from = id): Selection {
  const known = selection.anchor === undefined ? -1 : order.indexOf(selection.anchor);
  const start = known === -1 ? order.indexOf(from) : known;
  const end = order.indexOf(id);
  if (start === -1 || end === -1) return selection;
  const range = order.slice(Math.min(start, end), Math.max(start, end) + 1);
  return {
    ids: new Set([...selection.outsideRange, ...range]),
    anchor: order[start],
    outsideRange: selection.outsideRange,
  };
}

function restricted(selection: Selection, existing: ReadonlySet<string>): Selection {
  if ([...selection.ids].every((id) => existing.has(id))) return selection;
  const only = (ids: ReadonlySet<string>): ReadonlySet<string> => new Set([...ids].filter((id) => existing.has(id)));
  const ids = only(selection.ids);
  return ids.size === 0
    ? NOTHING_SELECTED
    : { ids, anchor: selection.anchor, outsideRange: only(selection.outsideRange) };
}
