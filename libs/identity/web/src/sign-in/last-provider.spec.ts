import { describe, expect, it } from '@jest/globals';
import { markLastUsed } from './last-provider';

const [NORTHWIND, GLOBEX] = [{ id: 'northwind' }, { id: 'globex' }];

describe('markLastUsed', () => {
  it('moves the provider used last to the front and marks it', () => {
    expect(markLastUsed([NORTHWIND, GLOBEX], 'globex')).toEqual([
      { id: 'globex', isLastUsed: true },
      { id: 'northwind', isLastUsed: false },
    ]);
  });

  it.each([undefined, 'removed-provider'])('marks nothing for %j', (last) => {
    expect(markLastUsed([NORTHWIND, GLOBEX], last)).toEqual([
      { id: 'northwind', isLastUsed: false },
      { id: 'globex', isLastUsed: false },
    ]);
  });

  it('does not mark the only provider', () => {
    expect(markLastUsed([GLOBEX], 'globex')).toEqual([{ id: 'globex', isLastUsed: false }]);
  });
});
