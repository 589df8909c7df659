import { describe, expect, it } from '@jest/globals';
import { BillingPeriod } from './billing-period';

const period = (name: string) => BillingPeriod.parse(name) as BillingPeriod;

describe('BillingPeriod', () => {
  it.each(['2026-13', '2026-00', '2026-1', '26-11', '2026-11-01', '', ' 2026-11', '0000-01', '0099-12', '1999-12'])(
    'rejects %j',
    (name) => {
      expect(BillingPeriod.parse(name)).toBeUndefined();
    },
  );

  it.each([
    ['2026-11', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', 720],
    ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', 744],
    ['2027-02', '2027-02-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z', 672],
    ['2028-02', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z', 696],
  ])('%s is from %s to before %s and has %i hours', (name, start, end, hours) => {
    const { start: from, end: to, ...rest } = { ...bounds(name), hours: period(name).hours };
    expect([from, to, rest.hours]).toEqual([start, end, hours]);
  });

  it('contains its first instant and not its end', () => {
    expect(BillingPeriod.containing(new Date('2026-11-30T23:59:59.999Z')).name).toBe('2026-11');
    expect(BillingPeriod.containing(period('2026-11').end).name).toBe('2026-12');
    expect(BillingPeriod.containing(period('2026-11').start).name).toBe('2026-11');
  });

  it('knows its neighbours across years', () => {
    expect(period('2026-12').next().name).toBe('2027-01');
    expect(period('2027-01').previous().name).toBe('2026-12');
  });
});

function bounds(name: string) {
  return { start: period(name).start.toISOString(), end: period(name).end.toISOString() };
}
