import { describe, expect, it } from '@jest/globals';
import { BillingPeriod } from '@homeport/usage/contracts';
import { chargeCommandFrom } from './charge-command';

const period = BillingPeriod.parse('2026-11');
const CORRECTION = ['correct', '2026-11', '--organization', 'northwind', '--reference', 'T-1', '--reason', 'Outage.'];

describe('chargeCommandFrom', () => {
  it('reads the commands', () => {
    expect(chargeCommandFrom(['export', '2026-11'])).toEqual({ name: 'export', period, format: 'jsonl' });
    expect(chargeCommandFrom(['export', '--format', 'csv', '2026-11'])).toMatchObject({ period, format: 'csv' });
    expect(chargeCommandFrom(['check'])).toEqual({ name: 'check', period: undefined, skipsStorage: false });
    expect(chargeCommandFrom(['check', '2026-11', '--skip-storage'])).toMatchObject({ period, skipsStorage: true });
    expect(chargeCommandFrom([...CORRECTION, '--by', 'ada', '--amount', '-5.50'])).toEqual({
      ...{ name: 'correct', period, organization: 'northwind', amount: '-5.50', reference: 'T-1' },
      ...{ reason: 'Outage.', by: 'ada', item: undefined },
    });
    expect(chargeCommandFrom([...CORRECTION, '--by', 'ada', '--amount=-5', '--item', 'storage'])).toMatchObject({
      ...{ amount: '-5', item: 'storage' },
    });
  });

  it.each([
    [[]],
    [['print']],
    [['check', 'november']],
    [['check', '2026-11', '2026-12']],
    [['check', '--month', '2026-11']],
    [['export']],
    [['export', '2026-11', '--format', 'pdf']],
    [CORRECTION],
    [[...CORRECTION, '--by', 'ada', '--amount']],
    [[...CORRECTION.filter((each) => each !== '2026-11'), '--by', 'ada', '--amount', '1']],
  ])('refuses %j', (args) => {
    expect(chargeCommandFrom(args)).toBeUndefined();
  });
});
