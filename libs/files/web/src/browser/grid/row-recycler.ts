/** Which element a drawn row has: one of few, by its number. */
export type RowSlots = ReadonlyMap<string, number>;

/**
 * Gives each row an element: those that were drawn before keep theirs, and with it the focus; new ones take those of rows
 * that have gone, which costs a fraction of making another.
 */
export function recycleSlots(ids: readonly string[], before: RowSlots): RowSlots {
  const wanted = new Set(ids);
  const free = [...before].filter(([id]) => !wanted.has(id)).map(([, slot]) => slot);
  const slots = new Map<string, number>();
  const isTaken = new Set(before.values());
  let next = 0;
  for (const id of ids) {
    let slot = before.get(id) ?? free.pop();
    if (slot === undefined) {
      while (isTaken.has(next)) next += 1;
      slot = next++;
    }
    slots.set(id, slot);
  }
  return slots;
}
