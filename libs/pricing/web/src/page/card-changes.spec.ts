// Outside a build, Angular's published code is linked at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import type { UsageCard } from '@homeport/pricing/contracts';
import { changesBetween } from './card-changes';
import { card } from '../testing/example-card';

const after = (change: Partial<UsageCard>) =>
  changesBetween(card, { ...card, version: 'next', newSignupsFrom: '2027-01-01T00:00:00Z', ...change }).map(
    ({ what, words }) => `${what}: ${words}`,
  );
const meters = (id: string, change: object) =>
  card.meters.map((meter) => (meter.id === id ? { ...meter, ...change } : meter));

describe('changesBetween', () => {
  it('returns no changes for equal cards', () => expect(after({})).toEqual([]));

  it('returns changes of the included amount and the trial', () => {
    expect(after({ includedUsd: 20, trial: { days: 14, capUsd: 250 } })).toEqual([
      'Included every month: $20 instead of $10',
      'Trial: 14 days instead of 30 days',
      'Trial: up to $250 instead of $500',
    ]);
  });

  it('returns changes of prices, units and trial waivers', () => {
    expect(after({ meters: meters('agent-run', { unitUsd: 0.03 }) })).toEqual([
      'Agent run: $0.03 per run instead of $0.02',
    ]);
    expect(after({ meters: meters('storage', { unit: 'tb-month', unitUsd: 40 }) })).toEqual([
      'Storage: $40 per tb a month instead of $0.05 per GB a month',
    ]);
    expect(after({ meters: meters('secret', { waivedInTrial: true }) })).toEqual(['Secret: free in the trial']);
    expect(after({ meters: meters('vault', { waivedInTrial: undefined }) })).toEqual([
      'Vault: no longer free in the trial',
    ]);
  });

  it('returns added, removed and newly free items', () => {
    expect(
      after({
        meters: [
          ...card.meters.filter(({ id }) => id !== 'vault'),
          { id: 'seat', label: 'Seat', unit: 'seat-month', unitUsd: 3 },
        ],
        boxes: [{ size: 'small', instanceType: 't4g.small', monthlyUsd: 20 }],
        free: ['deploys'],
        domains: { standardUsd: 0, premiumUsd: 50 },
      }),
    ).toEqual([
      'Seat: new, $3 per seat a month',
      'Small box: $20 per box a month instead of $25',
      'Small box: t4g.small instead of t3.small',
      'Custom hostname: free instead of $10 per hostname a month',
      'Vault: no longer offered',
      'Direct messages: no longer offered',
    ]);
  });
});
