import { beforeEach, describe, expect, it } from '@jest/globals';
import { rate, type UsageCard } from '@homeport/pricing/contracts';
import type { ChargeLedger, NewCharge } from '../application/charge-ledger.port';
import { parseCatalog } from '../domain/parse-catalog';
import { toUsageCard } from '../domain/statement';
import { shippedCatalog } from './shipped-catalog';

let count = 0;

/** Contract tests of all `ChargeLedger` adapters. */
export function chargeLedgerContract(name: string, open: () => ChargeLedger): void {
  describe(`${name} as a charge ledger`, () => {
    const [card] = parseCatalog(shippedCatalog()).cards.map(toUsageCard) as [UsageCard];
    const usage = { meters: { storage: '0.333333', vault: 2, 'gateway-call': 31_250 }, boxes: { small: 1 } };
    let charge: NewCharge;

    beforeEach(() => {
      charge = {
        account: { id: `account-${process.pid}-${count++}`, createdAt: new Date('2026-10-01T00:00:00Z') },
        period: '2026-11',
        revision: '2026-10-01',
        card: card.version,
        rating: rate(usage, card, { coveredCents: 49_999n }),
        late: { inTrial: { meters: { vault: 1 } }, afterTrial: { meters: { storage: 7 } } },
      };
    });

    it('records every line with exact decimals', async () => {
      await open().record([charge]);
      expect(await open().find(charge.account.id, '2026-11')).toEqual({
        id: expect.any(String),
        accountId: charge.account.id,
        period: '2026-11',
        revision: '2026-10-01',
        card: '2026-10-01',
        lines: [
          line('meters.gateway-call', 'Gateway call', 'call', ['31250', '0.0004', '12.5']),
          line('meters.storage', 'Storage', 'gb-month', ['0.333333', '0.05', '0.02']),
          { ...line('meters.vault', 'Vault', 'vault-month', ['2', '5', '0']), isWaived: true, lateQuantity: '1' },
          line('boxes.small', 'Small box', 'box-month', ['1', '25', '25']),
        ],
        includedUsd: '10',
        trialCoveredUsd: '0.01',
        totalUsd: '27.51',
        chargedAt: expect.any(Date),
        corrections: [],
      });
    });

    it('records several charges at once, also without lines', async () => {
      const id = (n: number) => `${charge.account.id}-${n}`;
      const many = [3, 1, 2].map((n) => ({ ...charge, account: { ...charge.account, id: id(n) } }));
      await open().record([{ ...many[1], rating: rate({}, card) } as NewCharge]);
      await open().record(many);
      const found = await Promise.all([1, 2, 3].map((n) => open().find(id(n), '2026-11')));
      expect(found.map((each) => [each?.lines.length, each?.totalUsd])).toEqual([
        [0, '0'],
        [4, '27.51'],
        [4, '27.51'],
      ]);
      await open().record([]);
    });

    it('states what trials covered, by account and month', async () => {
      const other = { ...charge, account: { ...charge.account, id: `${charge.account.id}-other` } };
      await open().record([charge, { ...charge, period: '2026-12', rating: rate({}, card) }, other]);
      const amounts = await open().trialAmounts([charge.account.id, 'unknown']);
      expect(
        amounts.map(({ accountId, period, trialCoveredUsd }) => [accountId, period, trialCoveredUsd]).sort(),
      ).toEqual([
        [charge.account.id, '2026-11', '0.01'],
        [charge.account.id, '2026-12', '0'],
      ]);
    });

    it('charges an account once per month, and ignores later charges', async () => {
      const other = { ...charge, rating: rate({ boxes: { xlarge: 9 } }, card) };
      await Promise.all([charge, other, other, charge].map((each) => open().record([each])));
      const first = await open().find(charge.account.id, '2026-11');
      await open().record([other, charge, { ...other, period: '2026-12' }]);
      const next = await open().find(charge.account.id, '2026-12');
      expect(next?.totalUsd).toBe('1800');
      expect(await open().list(charge.account.id)).toEqual([next, first]);
    });

    it('pages the charges of a month by account', async () => {
      const id = (n: number) => `${charge.account.id}-${n}`;
      const ledger = open();
      const period = '2024-02';
      await ledger.record([2, 1, 3].map((n) => ({ ...charge, period, account: { ...charge.account, id: id(n) } })));
      const pageOf = async (after: string, through?: string) =>
        (await ledger.page({ period, after, through, limit: 2 })).map(({ accountId }) => accountId);
      expect([await pageOf(id(0)), await pageOf(id(2)), await pageOf(id(3))]).toEqual([[id(1), id(2)], [id(3)], []]);
      expect([await pageOf(id(0), id(1)), await pageOf(id(1), id(3))]).toEqual([[id(1)], [id(2), id(3)]]);
    });

    it('records corrections in order, each with all earlier ones in sight', async () => {
      const ledger = open();
      await ledger.record([charge]);
      const correctOnce = (reference: string) =>
        ledger.correct(charge.account.id, '2026-11', ({ corrections }) =>
          corrections.length > 0
            ? undefined
            : { reference, item: 'meters.storage', amountUsd: '-0.5', reason: 'Outage', correctedBy: 'ada' },
        );
      const corrected = await Promise.all([correctOnce('T-1'), correctOnce('T-2')]);
      expect(corrected.map((each) => each?.corrections.length)).toEqual([1, 1]);
      const found = await ledger.find(charge.account.id, '2026-11');
      expect(found).toEqual(corrected[0]);
      expect(found).toMatchObject({
        totalUsd: '27.51',
        corrections: [{ item: 'meters.storage', amountUsd: '-0.5', reason: 'Outage', correctedAt: expect.any(Date) }],
      });
      expect(await ledger.correct('unknown', '2026-11', () => undefined)).toBeUndefined();
    });

    it('returns undefined for an unknown charge', async () => {
      expect(await open().find('unknown', '2026-11')).toBeUndefined();
      expect(await open().list('unknown')).toEqual([]);
    });
  });
}

function line(item: string, label: string, unit: string, [quantity, unitUsd, amountUsd]: [string, string, string]) {
  return { item, label, unit, quantity, unitUsd, amountUsd, isWaived: false, isInTrial: true, lateQuantity: '0' };
}
