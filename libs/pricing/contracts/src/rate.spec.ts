import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemsOf } from './card-items';
import { estimateOf } from './estimate';
import { rate, rateSplit } from './rate';
import { exampleCard as card } from './testing/example-card';
import type { Usage } from './usage';

const estimate = (usage: Usage, inTrial = false) =>
  estimateOf(rate(usage, card, inTrial ? { coveredCents: 0n } : undefined), 'v1');
const amounts = (usage: Usage, inTrial = false) => {
  const { lines, includedUsd, trialCoveredUsd, totalUsd } = estimate(usage, inTrial);
  return [lines.map(({ amountUsd }) => amountUsd), includedUsd, trialCoveredUsd, totalUsd];
};

describe('rate', () => {
  it('charges nothing for an empty usage', () => {
    expect(amounts({})).toEqual([[], 0, 0, 0]);
    expect(amounts({ meters: {}, boxes: { small: 0 }, domains: {} })).toEqual([[0], 0, 0, 0]);
  });

  it('creates a line for every item of the usage, in the order of the card', () => {
    const usage = { domains: { premium: 1 }, boxes: { small: 2 }, meters: { dms: 7, storage: 100, 'member-sync': 1 } };
    expect(estimate(usage)).toEqual({
      version: 'v1',
      currency: 'USD',
      lines: [
        { id: 'member-sync', label: 'Member sync', unit: 'sync', quantity: 1, unitUsd: 0.002, amountUsd: 0 },
        { id: 'storage', label: 'Storage', unit: 'gb-month', quantity: 100, unitUsd: 0.05, amountUsd: 5 },
        { id: 'small', label: 'Small box', unit: 'box-month', quantity: 2, unitUsd: 25, amountUsd: 50 },
        { id: 'premium', label: 'Custom base domain', unit: 'domain-month', quantity: 1, unitUsd: 50, amountUsd: 50 },
        { id: 'dms', label: 'Direct messages', unit: 'message', quantity: 7, unitUsd: 0, amountUsd: 0 },
      ],
      includedUsd: 5,
      trialCoveredUsd: 0,
      totalUsd: 100,
    });
  });

  it('deducts the included amount from meters only', () => {
    expect(amounts({ meters: { storage: 200 } })).toEqual([[10], 10, 0, 0]);
    expect(amounts({ meters: { storage: 201 } })).toEqual([[10.05], 10, 0, 0.05]);
    expect(amounts({ boxes: { small: 1 }, domains: { standard: 1 } })).toEqual([[25, 10], 0, 0, 35]);
  });

  it.each([
    ['12.5', 0], // 0.5 of a cent, and 0 is even
    ['12.500001', 0.01],
    ['37.5', 0.02], // 1.5
    ['62.5', 0.02], // 2.5
    ['87.5', 0.04], // 3.5
  ])('rounds %s calls half-even to the cent', (quantity, usd) => {
    expect(amounts({ meters: { 'gateway-call': quantity } })[0]).toEqual([usd]);
  });

  it('rounds every line separately', () => {
    expect(amounts({ meters: { 'gateway-call': 37.5, 'member-sync': 7.5 }, boxes: {} })[0]).toEqual([0.02, 0.02]);
  });

  it('waives the vault in the trial, and covers the remaining cost up to the cap', () => {
    const usage = { meters: { vault: 3, storage: 300 }, boxes: { small: 1 } };
    expect(estimate(usage, true).lines.find(({ id }) => id === 'vault')).toMatchObject({ amountUsd: 0, waived: true });
    expect(amounts(usage, true)).toEqual([[15, 0, 25], 10, 30, 0]);
    expect(amounts(usage)).toEqual([[15, 15, 25], 10, 0, 45]);
    expect(amounts({ boxes: { small: 21 } }, true)).toEqual([[525], 0, 500, 25]);
    const partlyCovered = rate({ boxes: { small: 1 } }, card, { coveredCents: 49_000n });
    expect([partlyCovered.trialCoveredCents, partlyCovered.totalCents]).toEqual([1_000n, 1_500n]);
    expect(rate({ boxes: { small: 1 } }, card, { coveredCents: 60_000n }).totalCents).toBe(2_500n);
  });

  it('splits the month in which a trial ends: the trial covers its part, and the included amount reduces the rest first', () => {
    const split = (inTrial: Usage, afterTrial: Usage) => {
      const { lines, includedCents, trialCoveredCents, totalCents } = rateSplit({ inTrial, afterTrial }, card, {
        coveredCents: 0n,
      });
      return [lines.map(({ cents, isInTrial }) => [cents, isInTrial]), includedCents, trialCoveredCents, totalCents];
    };
    const storage = (quantity: number) => ({ meters: { storage: quantity } });
    expect(split(storage(300), storage(300))).toEqual([
      [
        [1_500n, true],
        [1_500n, false],
      ],
      1_000n,
      1_500n,
      500n,
    ]);
    expect(split(storage(300), storage(100))).toEqual([
      [
        [1_500n, true],
        [500n, false],
      ],
      1_000n,
      1_000n,
      0n,
    ]);
    expect(split({ meters: { vault: 1 } }, { meters: { vault: 1 } })).toEqual([
      [
        [0n, true],
        [500n, false],
      ],
      500n,
      0n,
      0n,
    ]);
    expect(split({ boxes: { small: 21 } }, { boxes: { small: 1 } })[3]).toBe(2_500n + 2_500n);
  });

  it('rates quantities with more digits than a number can hold', () => {
    const [line] = estimate({ meters: { storage: '999999999999.999999' } }).lines;
    expect(line).toMatchObject({ quantity: '999999999999.999999', amountUsd: 50_000_000_000 });
    expect(rate({ boxes: { small: 10 ** 12 } }, card).totalCents).toBe(2_500_000_000_000_000n);
  });

  it.each<Usage>([
    { meters: { unknown: 1 } },
    { boxes: { storage: 1 } },
    { meters: { storage: -1 } },
    { meters: { storage: '1e3' } },
  ])('rejects %j', (usage) => {
    expect(() => rate(usage, card)).toThrow(RangeError);
  });

  it('matches floating-point arithmetic to within half a cent per line', () => {
    const items = itemsOf(card);
    const quantity = fc.oneof(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 0, max: 10 ** 12 }).map((micro) => micro / 10 ** 6),
      fc.constant(0),
    );
    fc.assert(
      fc.property(
        fc.array(quantity, { minLength: items.length, maxLength: items.length }),
        fc.boolean(),
        (all, trial) => {
          const usage = { meters: {}, boxes: {}, domains: {} } as Record<string, Record<string, number>>;
          for (const [n, { group, id }] of items.entries())
            (usage[group] as Record<string, number>)[id] = all[n] as number;
          const { lines, includedUsd, trialCoveredUsd, totalUsd } = estimate(usage, trial);
          const isClose = lines.every(({ quantity: used, unitUsd, amountUsd, waived }) => {
            const difference = Math.abs(amountUsd - (waived ? 0 : Number(used) * unitUsd));
            return difference <= 0.005 + 1e-7;
          });
          const sum = lines.reduce((total, { amountUsd }) => total + amountUsd, 0);
          const isSum = Math.abs(totalUsd - (sum - includedUsd - trialCoveredUsd)) < 0.005;
          return isClose && isSum && includedUsd <= card.includedUsd && trialCoveredUsd <= 500 && totalUsd >= 0;
        },
      ),
      { numRuns: 100_000 },
    );
  });
});
