/** The slot number of each rendered row, by row id. A slot is a reusable element. */
export type RowSlots = ReadonlyMap<string, number>;

/**
 * Assigns a slot to each row. Rows that were rendered before keep their slot, and so the focus; new rows reuse the
 * slots of removed rows, because updating an element costs a fraction of creating one.
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
