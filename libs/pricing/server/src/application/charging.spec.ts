import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { itemsOf, type Usage, type UsageCard } from '@homeport/pricing/contracts';
import { InvalidRequest } from '@homeport/kernel';
import { suiteSize } from '@homeport/platform/server/testing';
import fc from 'fast-check';
import { InMemoryChargeLedger } from '../adapters/memory/in-memory-charge-ledger';
import { InMemoryPriceRevisions } from '../adapters/memory/in-memory-price-revisions';
import { NoUsageCardForAccount, VersionSuperseded } from '../domain/pricing.errors';
import { planPublication } from '../domain/publication';
import { firstRevision, withCard } from '../testing/revisions';
import type { Charge } from './charge-ledger.port';
import { Charging } from './charging';
import { Estimates } from './estimates';
import { PriceBook } from './price-book';

const NEXT = '2027-01-01T00:00:00Z';
const usage: Usage = { meters: { storage: 300, vault: 1 }, boxes: { small: 1 } };
const paid = (afterTrial: Usage) => ({ usage: { inTrial: {}, afterTrial }, coveredCents: 0n });
const account = (createdAt: string, id = 'acme') => ({ id, createdAt: new Date(createdAt) });

describe('Charging', () => {
  let now: Date;
  let revisions: InMemoryPriceRevisions;
  let prices: PriceBook;
  let charging: Charging;
  let estimates: Estimates;

  beforeEach(() => {
    now = new Date('2026-11-21T12:00:00Z');
    revisions = new InMemoryPriceRevisions([firstRevision()], () => now);
    prices = new PriceBook(revisions, () => now.getTime());
    charging = new Charging(prices, revisions, new InMemoryChargeLedger());
    estimates = new Estimates(prices);
  });
  const chargeOf = async (id: string, period: string) => (await charging.find(id, period))?.charge;
  const publishNext = () =>
    revisions.publish('ada', (published, at) => planPublication(withCard(NEXT), { published, now: at }));

  it('uses the card of the account after a newer card takes effect', async () => {
    await publishNext();
    now = new Date('2027-03-01T00:00:00Z');
    await charging.charge([
      { account: account('2026-12-31T23:59:59.999Z', 'old'), period: '2027-02', ...paid(usage) },
      { account: account(NEXT, 'new'), period: '2027-02', ...paid(usage) },
    ]);
    const revision = '2027-01-01';
    expect(await chargeOf('old', '2027-02')).toMatchObject({
      ...{ revision, card: '2026-10-01', includedUsd: '10', totalUsd: '35' },
    });
    expect(await chargeOf('new', '2027-02')).toMatchObject({
      ...{ revision, card: '2027-01-01', includedUsd: '12', totalUsd: '33' },
    });
  });

  it('rejects an account older than the first card', async () => {
    const request = { account: account('2026-09-30T23:59:59.999Z'), period: '2026-11', ...paid(usage) };
    const other = { ...request, account: account(NEXT, 'other') };
    await expect(charging.charge([other, request])).rejects.toBeInstanceOf(NoUsageCardForAccount);
    expect(await charging.find('other', '2026-11')).toBeUndefined();
  });

  it('charges an account once per month', async () => {
    const request = { account: account(NEXT), period: '2026-11', ...paid(usage) };
    await charging.charge([request]);
    const first = await chargeOf('acme', '2026-11');
    await charging.charge([{ ...request, ...paid({}) }]);
    expect(await chargeOf('acme', '2026-11')).toEqual(first);
  });

  it('rejects items that are not on the card', async () => {
    const request = { account: account(NEXT), period: '2026-11', ...paid({ meters: { coffee: 1 } }) };
    await expect(charging.charge([request])).rejects.toThrow('meters.coffee');
  });

  it('explains every line', async () => {
    await charging.charge([
      {
        account: account('2026-11-01T00:00:00Z'),
        period: '2026-11',
        usage: { inTrial: { meters: { vault: 1 } }, afterTrial: usage },
        late: { inTrial: {}, afterTrial: { meters: { storage: '0.5' } } },
        coveredCents: 0n,
      },
    ]);
    const explained = await charging.find('acme', '2026-11');
    expect(explained).toMatchObject({
      charge: {
        card: '2026-10-01',
        lines: [{ item: 'meters.vault' }, { item: 'meters.storage', amountUsd: '15' }, {}, {}],
      },
      revision: { version: '2026-10-01', sha256: firstRevision().sha256.toString('hex') },
    });
    expect(explained?.sentences.slice(0, 2)).toEqual([
      'Vault in the trial: 1 × 5 USD a vault-month = waived, by price list 2026-10-01 (usage card 2026-10-01).',
      'Storage: 300 × 0.05 USD a gb-month = 15 USD, rounded half-even to the cent, ' +
        'by price list 2026-10-01 (usage card 2026-10-01). ' +
        '0.5 of the quantity was used before 2026-11 and reported late.',
    ]);
    expect(await charging.list('acme')).toEqual([explained]);
    expect(await charging.find('acme', '2026-12')).toBeUndefined();
    expect(await charging.find('unknown', '2026-11')).toBeUndefined();
  });

  it('reads a statement once for all charges of a list', async () => {
    const request = { account: account('2026-11-01T00:00:00Z'), ...paid(usage) };
    await charging.charge(['2026-11', '2026-12', '2027-01'].map((period) => ({ ...request, period })));
    const find = jest.spyOn(revisions, 'find');
    expect(await charging.list('acme')).toHaveLength(3);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('charges exactly the estimated amounts', async () => {
    const card = (await prices.current()).statement.usage as UsageCard;
    const items = itemsOf(card);
    const quantity = fc.oneof(
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer({ min: 0, max: 10 ** 9 }).map((micro) => micro / 10 ** 6),
    );
    const usages = fc.array(fc.tuple(fc.constantFrom(...items), quantity), { maxLength: 8 });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(usages, fc.boolean(), async (chosen, trial) => {
        const used: Record<string, Record<string, number>> = {};
        for (const [{ group, id }, amount] of chosen) (used[group] ??= {})[id] = amount;
        const id = `account-${n++}`;
        await charging.charge([
          {
            account: account('2026-11-01T00:00:00Z', id),
            period: '2026-11',
            usage: trial ? { inTrial: used, afterTrial: {} } : { inTrial: {}, afterTrial: used },
            coveredCents: 0n,
          },
        ]);
        const estimate = await estimates.estimate({ usage: used, trial });
        return isDeepStrictEqual(amountsOf((await chargeOf(id, '2026-11')) as Charge), amountsOf(estimate));
      }),
      { numRuns: suiteSize(2_000, 100_000) },
    );
  });
});

interface Amounts {
  readonly lines: readonly { readonly amountUsd: string | number }[];
  readonly includedUsd: string | number;
  readonly trialCoveredUsd: string | number;
  readonly totalUsd: string | number;
}

function amountsOf({ lines, includedUsd, trialCoveredUsd, totalUsd }: Amounts): number[] {
  return [...lines.map(({ amountUsd }) => amountUsd), includedUsd, trialCoveredUsd, totalUsd].map(Number);
}

describe('Estimates', () => {
  const now = () => new Date('2026-11-21T12:00:00Z');
  const estimates = new Estimates(new PriceBook(new InMemoryPriceRevisions([firstRevision()], now)));

  it('rejects a version other than the current statement', async () => {
    expect(await estimates.estimate({ usage, version: '2026-10-01' })).toMatchObject({ totalUsd: 35 });
    await expect(estimates.estimate({ usage, version: '2026-09-01' })).rejects.toBeInstanceOf(VersionSuperseded);
  });

  it('reports every invalid field', async () => {
    const wrong = estimates.estimate({ usage: { meters: { storage: -1, coffee: 1 }, boxes: { small: 'x' } } });
    const error = (await wrong.catch((reason: unknown) => reason)) as InvalidRequest;
    expect(error).toBeInstanceOf(InvalidRequest);
    expect(error.fields?.map(({ field }) => field)).toEqual([
      'usage.meters.storage',
      'usage.meters.coffee',
      'usage.boxes.small',
    ]);
  });
});
