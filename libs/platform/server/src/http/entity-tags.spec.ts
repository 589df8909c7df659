import { describe, expect, it } from '@jest/globals';
import { namesTag, namesTagWeakly } from './entity-tags';

describe('namesTag', () => {
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
  ])('%s names %s: %s', (validators, etag, expected) => {
    expect(namesTag(validators, etag)).toBe(expected);
  });
});

describe('namesTagWeakly', () => {
  it.each([
    ['W/"a"', '"a"', true],
    ['"b", W/"a"', '"a"', true],
    ['W/"b"', '"a"', false],
    ['*', '"a"', true],
    ['*', undefined, false],
  ])('%s names %s: %s', (validators, etag, expected) => {
    expect(namesTagWeakly(validators, etag)).toBe(expected);
  });
});
