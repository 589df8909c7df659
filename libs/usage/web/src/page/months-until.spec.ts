import { describe, expect, it } from '@jest/globals';
import { monthsUntil } from './months-until';

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
