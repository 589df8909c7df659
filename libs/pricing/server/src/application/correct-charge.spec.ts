import { beforeEach, describe, expect, it } from '@jest/globals';
import { rate, type UsageCard } from '@homeport/pricing/contracts';
import { InMemoryChargeLedger } from '../adapters/memory/in-memory-charge-ledger';
import { parseCatalog } from '../domain/parse-catalog';
import { CorrectionRefused } from '../domain/pricing.errors';
import { toUsageCard } from '../domain/statement';
import { shippedCatalog } from '../testing/shipped-catalog';
import { CorrectCharge, correctedUsd, type CorrectionRequest } from './correct-charge';

const [card] = parseCatalog(shippedCatalog()).cards.map(toUsageCard) as [UsageCard];
const request: CorrectionRequest = {
  accountId: 'northwind',
  period: '2026-11',
  reference: 'T-1',
  item: 'small',
  amountUsd: '-5.50',
  reason: 'The box was not available for 7 days.',
  correctedBy: 'ada',
};

describe('CorrectCharge', () => {
  let correct: CorrectCharge;

  beforeEach(async () => {
    const ledger = new InMemoryChargeLedger();
    await ledger.record([
      {
        account: { id: 'northwind', createdAt: new Date('2026-10-01T00:00:00Z') },
        period: '2026-11',
        revision: '2026-10-01',
        card: card.version,
        rating: rate({ boxes: { small: 1 } }, card),
        late: { inTrial: {}, afterTrial: {} },
      },
    ]);
    correct = new CorrectCharge(ledger);
  });

  it('adds to the charge, and once for a reference', async () => {
    const corrected = await correct.execute(request);
    expect(corrected).toMatchObject({ totalUsd: '25', corrections: [{ item: 'boxes.small', amountUsd: '-5.5' }] });
    expect(correctedUsd(corrected)).toBe('19.5');
    expect(await correct.execute({ ...request, amountUsd: '-5.5' })).toEqual(corrected);
    const again = await correct.execute({ ...request, reference: 'T-2', item: undefined, amountUsd: '0.05' });
    expect(correctedUsd(again)).toBe('19.55');
    expect(correctedUsd(await correct.execute({ ...request, reference: 'T-3', amountUsd: '-19.55' }))).toBe('0');
  });

  it.each([
    [{ amountUsd: '-6' }, 'belongs to another correction'],
    [{ reference: 'T-2', amountUsd: '-19.51' }, 'The charge is 19.5 USD, and a correction cannot make it negative.'],
    [{ reference: 'T-2', amountUsd: '0' }, 'The amount is not'],
    [{ reference: 'T-2', amountUsd: '0.001' }, 'The amount is not'],
    [{ reference: 'T-2', amountUsd: '1e3' }, 'The amount is not'],
    [{ reference: 'T-2', amountUsd: 'NaN' }, 'The amount is not'],
    [{ reference: 'T-2', item: 'large' }, 'The charge has no line for large.'],
    [{ reference: ' ' }, 'The reference does not'],
    [{ reference: 'T-2', reason: 'x'.repeat(501) }, 'The reason does not'],
    [{ period: '2026-12' }, 'northwind has no charge for 2026-12.'],
    [{ accountId: 'globex' }, 'globex has no charge'],
  ])('refuses %j', async (changes, message) => {
    await correct.execute(request);
    const refused = correct.execute({ ...request, ...changes });
    await expect(refused).rejects.toThrow(CorrectionRefused);
    await expect(refused).rejects.toThrow(message);
  });
});
