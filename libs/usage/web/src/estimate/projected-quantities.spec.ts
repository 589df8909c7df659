import { describe, expect, it } from '@jest/globals';
import type { UsageMonth } from '@homeport/usage/contracts';
import { projectedQuantities } from './projected-quantities';

const ACCOUNT = { card: '1', monthly_included_usd: '10', legacy_plans: null, trial: null };

/** @param lines item, quantity and the late part of the quantity. */
function month(lines: readonly (readonly [string, string, string?])[], more: Partial<UsageMonth> = {}): UsageMonth {
  return {
    period: '2026-11',
    as_of: '2026-11-16T00:00:00Z',
    account: { ...ACCOUNT, created_at: '2026-01-01T00:00:00Z' },
    lines: lines.map(([item, quantity, late_quantity = '0']) => ({ item, quantity, late_quantity })),
    ...more,
  } as UsageMonth;
}

describe('projectedQuantities', () => {
  it('continues the average rate to the end of the month', () => {
    const projected = projectedQuantities(
      month([
        ['gateway-call', '1200'],
        ['storage', '0.25'],
      ]),
    );
    expect([...projected]).toEqual([
      ['gateway-call', '2400'],
      ['storage', '0.5'],
    ]);
  });

  it('adds the parts of an item in and after the trial, and rounds large quantities down to units', () => {
    const lines = [
      ['gateway-call', '100'],
      ['gateway-call', '0.75'],
    ] as const;
    expect(projectedQuantities(month(lines)).get('gateway-call')).toBe('201');
  });

  it('adds late usage once, because it says nothing about the rate of the month', () => {
    const projected = projectedQuantities(
      month([
        ['tool-call', '1100', '1000'],
        ['agent-run', '40', '40'],
      ]),
    );
    expect([...projected]).toEqual([
      ['tool-call', '1200'],
      ['agent-run', '40'],
    ]);
  });

  it('starts with the hour of the account, like the projected total', () => {
    const account = { ...ACCOUNT, created_at: '2026-11-15T23:45:00Z' };
    expect(projectedQuantities(month([['tool-call', '1']], { account })).get('tool-call')).toBe('361');
  });

  it('starts with the account', () => {
    const account = { ...ACCOUNT, created_at: '2026-11-11T00:00:00Z' };
    expect(projectedQuantities(month([['tool-call', '10']], { account })).get('tool-call')).toBe('40');
  });

  it('takes an hour for a shorter time', () => {
    const early = month([['tool-call', '1']], { as_of: '2026-11-01T00:00:01Z' });
    expect(projectedQuantities(early).get('tool-call')).toBe('720');
  });
});
