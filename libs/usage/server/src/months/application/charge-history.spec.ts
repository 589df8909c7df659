import { describe, expect, it } from '@jest/globals';
import { FakeChargeBook, usageCard } from '../../testing';
import { ChargeHistory } from './charge-history';

const member = { issuer: 'https://id.example.com', subject: 'ada', organization: 'northwind' };

describe('ChargeHistory', () => {
  it.each(['2026-13', 'now', '\0', '2026-10\0'])('has no charge %j, and does not search for it', async (period) => {
    const charges = new FakeChargeBook(usageCard);
    charges.find = () => Promise.reject(new Error('invalid byte sequence'));
    for (const isMetering of [true, false]) {
      await expect(new ChargeHistory(charges, isMetering).get(member, period)).rejects.toMatchObject({
        code: 'usage.charge-not-found',
      });
    }
  });

  it('shows charged months while metering is off, and says so for the others', async () => {
    const charges = new FakeChargeBook(usageCard);
    const account = { organization: 'northwind', createdAt: new Date('2026-10-20T12:30:00Z') };
    const usage = { inTrial: {}, afterTrial: { meters: { 'agent-run': 10 } } };
    await charges.charge([{ account, period: '2026-10', usage, late: usage, coveredCents: 0n }]);
    const history = new ChargeHistory(charges, false);
    expect(await history.get(member, '2026-10')).toMatchObject({ period: '2026-10' });
    await expect(history.get(member, '2026-11')).rejects.toMatchObject({ code: 'usage.metering-off' });
  });
});
