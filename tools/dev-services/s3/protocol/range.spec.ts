import { describe, expect, it } from '@jest/globals';
import { parseRange } from './range.ts';

describe('parseRange', () => {
  it.each<[string | undefined, { start: number; end: number } | undefined]>([
    ['bytes=0-4', { start: 0, end: 4 }],
    ['bytes=15-', { start: 15, end: 19 }],
    ['bytes=-3', { start: 17, end: 19 }],
    ['bytes=18-999', { start: 18, end: 19 }],
    ['bytes=-999', { start: 0, end: 19 }],
    [undefined, undefined],
    ['bytes=-', undefined],
    ['bytes=4-0', undefined],
    ['bytes=0-1,3-4', undefined],
    ['items=0-4', undefined],
  ])('%s of twenty bytes', (value, expected) => {
    expect(parseRange(value, 20)).toEqual(expected);
  });

  it.each([
    ['bytes=20-', 20],
    ['bytes=99-100', 20],
    ['bytes=-0', 20],
    ['bytes=0-0', 0],
    ['bytes=-5', 0],
  ])('refuses %s of %i bytes', (value, size) => {
    const refusal = { code: 'InvalidRange', headers: { 'content-range': `bytes */${size}` } };
    expect(() => parseRange(value, size)).toThrow(expect.objectContaining(refusal));
  });
});
