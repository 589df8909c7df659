import { describe, expect, it } from '@jest/globals';
import { dayWords, freeWords, unitWords, usd } from './price-words';

describe('the words of prices', () => {
  it.each([
    [0, '$0'],
    [25, '$25'],
    [1500, '$1,500'],
    [0.05, '$0.05'],
    [0.5, '$0.50'],
    [0.0004, '$0.0004'],
    [0.000001, '$0.000001'],
  ])('%d is %s', (amount, words) => {
    expect(usd(amount)).toBe(words);
  });

  it.each([
    ['sync', 'sync'],
    ['gb-month', 'GB a month'],
    ['vault-month', 'vault a month'],
    ['tool-call', 'tool call'],
  ])('the unit %s is %s', (unit, words) => {
    expect(unitWords(unit)).toBe(words);
  });

  it('names what is free, also what is new', () => {
    expect(['dms', 'background-ai', 'shared-links'].map(freeWords)).toEqual([
      'Direct messages',
      'Background AI',
      'Shared links',
    ]);
  });

  it('reads days in UTC', () => {
    expect(dayWords('2026-10-01T00:00:00Z')).toBe('October 1, 2026');
    expect(dayWords('soon')).toBe('soon');
  });
});
