import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RowSlots, recycleSlots } from './row-recycler';

it('keeps the slot of each row and gives no slot to two rows', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'));
  fc.assert(
    fc.property(fc.array(ids, { minLength: 1, maxLength: 8 }), (steps) => {
      let slots: RowSlots = new Map();
      for (const step of steps) {
        const next = recycleSlots(step, slots);
        expect([...next.keys()]).toEqual(step);
        expect(new Set(next.values()).size).toBe(step.length);
        for (const id of step) if (slots.has(id)) expect(next.get(id)).toBe(slots.get(id));
        slots = next;
      }
    }),
  );
});

it('reuses the slots of removed rows', () => {
  const before = recycleSlots(['a', 'b', 'c'], new Map());
  expect([...recycleSlots(['b', 'c', 'd'], before)]).toEqual([
    ['b', 1],
    ['c', 2],
    ['d', 0],
  ]);
});
