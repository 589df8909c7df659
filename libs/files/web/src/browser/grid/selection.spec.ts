import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NOTHING_SELECTED, type Selection, selectionAfter, type SelectionChange } from './selection';

const order = ['a', 'b', 'c', 'd', 'e', 'f'];
const after = (...changes: SelectionChange[]): string => {
  const selection = changes.reduce<Selection>(selectionAfter, NOTHING_SELECTED);
  return order.filter((id) => selection.ids.has(id)).join('');
};
const toggle = (id: string): SelectionChange => ({ kind: 'toggle', id });
const extend = (id: string, from?: string): SelectionChange => ({ kind: 'extend', id, order, ...(from && { from }) });

describe('selectionAfter', () => {
  it.each([
    ['ac', [toggle('a'), toggle('c')]],
    ['c', [toggle('a'), toggle('c'), toggle('a')]],
    ['bcd', [toggle('b'), extend('d')]],
    ['bc', [toggle('b'), extend('e'), extend('c')]],
    ['ab', [toggle('b'), extend('e'), extend('a')]],
    ['abef', [toggle('a'), toggle('b'), toggle('e'), extend('f')]],
    ['cd', [extend('d', 'c')]],
    ['abcdef', [{ kind: 'all', order }]],
    ['', [{ kind: 'all', order }, { kind: 'clear' }]],
    ['b', [toggle('a'), toggle('b'), { kind: 'keep', existing: new Set(['b', 'c']) }]],
    ['cd', [toggle('a'), { kind: 'keep', existing: new Set(['b', 'c', 'd']) }, extend('d', 'c')]],
  ] as const)('%s', (ids, changes) => {
    expect(after(...changes)).toBe(ids);
  });

  it('selects the same range from both ends', () => {
    const id = fc.constantFrom(...order);
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect(after(toggle(one), extend(other))).toBe(after(toggle(other), extend(one)));
      }),
    );
  });
});
