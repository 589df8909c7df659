import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '../errors/common.errors';
import { rawPathOf, rawQueryOf, parseStrictQuery } from './request-target';

describe('parseStrictQuery', () => {
  it('reads known parameters', () => {
    expect(parseStrictQuery('prefix=a%20b/&limit=10', ['prefix', 'limit'])).toEqual({ prefix: 'a b/', limit: '10' });
  });

  it('accepts a missing query', () => {
    expect(parseStrictQuery(undefined, ['limit'])).toEqual({});
    expect(parseStrictQuery('', ['limit'])).toEqual({});
  });

  it('lists every invalid parameter', () => {
    try {
      parseStrictQuery('limit=1&limit=2&other=x&prefix=&cursor=%FF', ['prefix', 'limit', 'cursor']);
      throw new Error('expected a rejection');
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidRequest);
      expect((error as InvalidRequest).fields?.map(({ field }) => field)).toEqual([
        'limit',
        'other',
        'prefix',
        'cursor',
      ]);
    }
  });

  it('treats an empty value as absent only for optional values', () => {
    expect(parseStrictQuery('prefix=&limit=1', ['prefix', 'limit'], ['prefix'])).toEqual({ limit: '1' });
    expect(parseStrictQuery('prefix', ['prefix'], ['prefix'])).toEqual({});
    expect(() => parseStrictQuery('limit=', ['prefix', 'limit'], ['prefix'])).toThrow(InvalidRequest);
    expect(() => parseStrictQuery('prefix=&prefix=', ['prefix'], ['prefix'])).toThrow(InvalidRequest);
  });

  it.each(['limit=%zz', 'limit=%', 'limit=%FF', 'limit=%ED%A0%80'])('rejects the encoding of %s', (raw) => {
    expect(() => parseStrictQuery(raw, ['limit'])).toThrow(InvalidRequest);
  });

  it('decodes a plus sign as a space and keeps other characters', () => {
    expect(parseStrictQuery('prefix=a+b%2B%EF%BF%BD=&', ['prefix'])).toEqual({ prefix: 'a b+\uFFFD=' });
  });

  it('rejects names of Object.prototype', () => {
    expect(() => parseStrictQuery('__proto__=1', ['limit'])).toThrow(InvalidRequest);
    expect(() => parseStrictQuery('constructor=1', ['limit'])).toThrow(InvalidRequest);
  });
});

describe('rawPathOf and rawQueryOf', () => {
  it('split a target at its first question mark', () => {
    expect(rawPathOf('/a%3F?b?c')).toBe('/a%3F');
    expect(rawQueryOf('/a%3F?b?c')).toBe('b?c');
    expect(rawPathOf('/a')).toBe('/a');
    expect(rawQueryOf('/a')).toBeUndefined();
    expect(rawPathOf('http://localhost:3000/a/b?c')).toBe('/a/b');
    expect(rawPathOf('HTTPS://x/http://y/')).toBe('/http://y/');
  });
});
