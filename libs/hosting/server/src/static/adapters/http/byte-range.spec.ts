import { describe, expect, it } from '@jest/globals';
import { parseByteRange } from './byte-range';

describe('parseByteRange', () => {
  it.each([
    ['bytes=0-0', 10, { first: 0, last: 0 }],
    ['bytes=0-', 10, { first: 0, last: 9 }],
    ['bytes=9-', 10, { first: 9, last: 9 }],
    ['bytes=2-99', 10, { first: 2, last: 9 }],
    ['bytes=-3', 10, { first: 7, last: 9 }],
    ['bytes=-99', 10, { first: 0, last: 9 }],
    ['BYTES= 1-2 ', 10, { first: 1, last: 2 }],
    [`bytes=0-${'9'.repeat(400)}`, 10, { first: 0, last: 9 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-1', 0, 'unsatisfiable'],
    ['bytes=3-2', 10, undefined],
    ['bytes=0-1,3-4', 10, undefined],
    ['bytes=-', 10, undefined],
    ['bytes=', 10, undefined],
    ['bytes=+1-2', 10, undefined],
    ['bytes=0x1-2', 10, undefined],
    ['items=0-1', 10, undefined],
    ['', 10, undefined],
  ])('%j of %d bytes', (range, size, expected) => {
    expect(parseByteRange(range, size)).toEqual(expected);
  });
});
