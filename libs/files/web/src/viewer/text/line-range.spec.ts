import { describe, expect, it } from '@jest/globals';
import { lineFragment, lineRange } from './line-range';

describe('lineRange', () => {
  it.each([
    ['L10', { first: 10, last: 10 }],
    ['L10-L20', { first: 10, last: 20 }],
    ['L20-10', { first: 10, last: 20 }],
  ])('%s', (fragment, range) => {
    expect(lineRange(fragment)).toEqual(range);
  });

  it.each([null, '', 'L0', 'L', 'part', 'L1-', 'L99999999999', 'xL1'])('%s selects no lines', (fragment) => {
    expect(lineRange(fragment)).toBeUndefined();
  });

  it('formats a fragment that lineRange can parse', () => {
    expect(lineFragment(4)).toBe('L4');
    expect(lineFragment(4, { first: 9, last: 9 })).toBe('L4-L9');
    expect(lineFragment(12, { first: 9, last: 10 })).toBe('L9-L12');
    expect(lineFragment(9, { first: 9, last: 10 })).toBe('L9');
  });
});
