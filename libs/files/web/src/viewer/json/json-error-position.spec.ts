import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findJsonError } from './json-error-position';

describe('findJsonError', () => {
  it.each([
    ['{"a":1,}', 1, 8],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['[1, 2', 1, 6],
    ['{} {}', 1, 4],
    ['[01]', 1, 3],
    ['{"a" 1}', 1, 6],
    ["{'a':1}", 1, 2],
    ['"open', 1, 1],
    ['[}', 1, 2],
    ['NaN', 1, 1],
    ['', 1, 1],
  ])('finds the error in %j', (text, line, column) => {
    expect(findJsonError(text)).toEqual({ line, column });
  });

  it('returns the end of valid JSON', () => {
    fc.assert(fc.property(fc.json(), (json) => expect(findJsonError(json).column).toBe(json.length + 1)));
  });
});
