import { describe, expect, it } from '@jest/globals';
import { dayBars } from './day-bars';

const november = (until: string, days: readonly (readonly [string, string])[] = []) =>
  dayBars(
    '2026-11',
    days.map(([day, quantity]) => ({ day, quantity })),
    new Date(until),
  );

describe('dayBars', () => {
  it('has a bar for each day until now, in relation to the largest one', () => {
    const bars = november('2026-11-03T10:00:00Z', [
      ['2026-11-01', '50'],
      ['2026-11-03', '200'],
    ]);
    expect(bars).toEqual([
      { day: '2026-11-01', quantity: '50', percent: 25 },
      { day: '2026-11-02', quantity: '0', percent: 0 },
      { day: '2026-11-03', quantity: '200', percent: 100 },
    ]);
  });

  it.each([
    ['2026-11-01T00:00:00Z', 1],
    ['2026-11-30T23:59:59Z', 30],
    ['2026-12-25T00:00:00Z', 30],
  ])('until %s it has %i days', (until, count) => {
    expect(november(until)).toHaveLength(count);
  });

  it('has no height without usage', () => {
    expect(november('2026-11-01T00:00:00Z')).toEqual([{ day: '2026-11-01', quantity: '0', percent: 0 }]);
  });
});
