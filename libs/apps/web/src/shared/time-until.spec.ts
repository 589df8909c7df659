// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { timeUntil } from './time-until';

const now = new Date('2026-11-21T12:00:00Z');

describe('timeUntil', () => {
  it.each([
    ['2026-11-21T11:59:00Z', 'any moment now'],
    ['2026-11-21T12:00:00.999Z', 'any moment now'],
    ['2026-11-21T12:00:01Z', 'in 1 second'],
    ['2026-11-21T12:00:59.999Z', 'in 59 seconds'],
    ['2026-11-21T12:01:00Z', 'in 1 minute'],
    ['2026-11-21T12:14:40Z', 'in 15 minutes'],
    ['2026-11-21T14:00:00Z', 'in 2 hours'],
    ['nonsense', 'at an unknown time'],
  ])('formats %s as %s', (at, words) => {
    expect(timeUntil(new Date(at), now)).toBe(words);
  });
});
