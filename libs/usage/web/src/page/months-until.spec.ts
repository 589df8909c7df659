import { describe, expect, it } from '@jest/globals';
import { monthsUntil, pastMonth } from './months-until';

describe('pastMonth', () => {
  it.each(['2026-11', '2026-12', '9999-12', '2026-13', '0000-01', '', 'now'])('has no past month for %j', (name) => {
    expect(pastMonth(name, '2026-11')).toBeUndefined();
  });

  it('returns a month before the current one', () => {
    expect(pastMonth('2026-10', '2026-11')).toBe('2026-10');
  });
});

describe('monthsUntil', () => {
  it('lists the months since the account was created, newest first', () => {
    expect(monthsUntil('2026-02', '2025-12-31T23:00:00Z', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12']);
  });

  it('has the current and the shown month while the account is not known', () => {
    expect(monthsUntil('2026-02', undefined, '2025-11')).toEqual(['2026-02', '2025-11']);
  });

  it('has at most two years', () => {
    expect(monthsUntil('2026-02', '2001-01-01T00:00:00Z', '2026-02')).toHaveLength(24);
  });
});
