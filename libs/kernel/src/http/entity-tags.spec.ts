import { describe, expect, it } from '@jest/globals';
import { matchesETagStrongly, matchesETagWeakly } from './entity-tags';

describe('matchesETagStrongly', () => {
  it.each([
    ['"a"', '"a"', true],
    ['"b", "a"', '"a"', true],
    ['*', '"a"', true],
    [' * ', '"a"', true],
    ['"a,b", "c"', '"a,b"', true],
    ['"a,b"', '"a"', false],
    ['"b"', '"a"', false],
    ['W/"a"', '"a"', false],
    ['', '"a"', false],
    ['*', undefined, false],
  ])('%s matches %s: %s', (validators, etag, expected) => {
    expect(matchesETagStrongly(validators, etag)).toBe(expected);
  });
});

describe('matchesETagWeakly', () => {
  it.each([
    ['W/"a"', '"a"', true],
    ['"b", W/"a"', '"a"', true],
    ['W/"b"', '"a"', false],
    ['*', '"a"', true],
    ['*', undefined, false],
  ])('%s matches %s: %s', (validators, etag, expected) => {
    expect(matchesETagWeakly(validators, etag)).toBe(expected);
  });
});
