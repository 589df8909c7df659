import { describe, expect, it } from '@jest/globals';
import { exactTime, relativeTime } from './relative-time';

const now = new Date(2026, 10, 20, 15, 0, 0);
const at = (...parts: [number, number, number, number?, number?, number?]): Date => new Date(...parts);

describe('relativeTime', () => {
  it.each([
    [at(2026, 10, 20, 14, 59, 30), 'just now'],
    [at(2026, 10, 20, 15, 0, 30), 'just now'],
    [at(2026, 10, 20, 14, 59, 0), '1 minute ago'],
    [at(2026, 10, 20, 14, 1, 0), '59 minutes ago'],
    [at(2026, 10, 20, 14, 0, 0), '1 hour ago'],
    [at(2026, 10, 20, 1, 0, 0), '14 hours ago'],
    [at(2026, 10, 19, 23, 0, 0), 'yesterday'],
    [at(2026, 10, 14, 1, 0, 0), '6 days ago'],
    [at(2026, 10, 13, 15, 0, 0), 'Nov 13'],
    [at(2025, 10, 13, 15, 0, 0), 'Nov 13, 2025'],
    [at(2026, 10, 21, 15, 0, 0), 'Nov 21'],
    [new Date('nonsense'), 'unknown'],
  ])('formats %s as %s', (moment, words) => {
    expect(relativeTime(moment, now)).toBe(words);
  });

  it('counts hours, not days, shortly after midnight', () => {
    expect(relativeTime(at(2026, 10, 19, 23, 0), at(2026, 10, 20, 1, 0))).toBe('2 hours ago');
  });
});

describe('exactTime', () => {
  it('never throws', () => {
    expect(exactTime(new Date('nonsense'))).toBe('unknown');
  });
});
