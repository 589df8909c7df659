import { describe, expect, it } from '@jest/globals';
import { BillingPeriod } from '@homeport/usage/contracts';
import { chargeCommandFrom, InvalidArguments } from './charge-command';

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
    [[], 'The command is missing'],
    [['print'], "The command 'print' is unknown"],
    [['check', 'november'], "A month has the form 2026-11, unlike 'november'"],
    [['check', '2026-11', '2026-12'], "The argument '2026-12' is one too many"],
    [['check', '--month', '2026-11'], "Unknown option '--month'"],
    [['export'], 'The month is missing'],
    [['export', '2026-11', '--format', 'pdf'], 'The value of --format must be one of jsonl, csv'],
    [CORRECTION, 'A value is missing: --amount, --by'],
    [[...CORRECTION, '--by', 'ada', '--amount'], 'A value is missing: --amount'],
    [[...CORRECTION, '--amount', '--by', 'ada'], "Option '--amount' argument is ambiguous"],
    [[...CORRECTION.filter((each) => each !== '2026-11'), '--by', 'ada', '--amount', '1'], 'The month is missing'],
  ])('says what is wrong with %j', (args, message) => {
    const call = () => chargeCommandFrom(args);
    expect(call).toThrow(InvalidArguments);
    expect(call).toThrow(message);
  });
});
