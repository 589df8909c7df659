import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAccountRepository } from '@homeport/organizations/server';
import { suiteSize } from '@homeport/platform/server/testing';
import { BillingPeriod } from '@homeport/usage/contracts';
import fc from 'fast-check';
import { InMemoryUsageStore } from '../../metering/adapters/memory/in-memory-usage-store';
import { hoursAfter } from '../../metering/domain/usage-event';
import { FakeChargeBook, legacyPrices, usageCard } from '../../testing';
import { InMemoryMonthClosings } from '../adapters/memory/in-memory-month-closings';
import { Accounts } from './accounts';
import { ChargeHistory } from './charge-history';
import { CloseMonths } from './close-months';
import type { PriceList } from './price-list.port';
import { ReadMonth } from './read-month';
import { TrialCoverage } from './trial-coverage';

const MICRO = 1_000_000n;
const statement = { version: '2026-10-01', sha256: 'ab' };
const member = { issuer: 'https://id.example.com', subject: 'ada', organization: 'northwind' };
const prices: PriceList = { current: async () => ({ statement, cards: [usageCard], legacy: legacyPrices }) };

let now: Date;
let store: InMemoryUsageStore;
let charges: FakeChargeBook;
let accounts: Accounts;
let closings: InMemoryMonthClosings;
let months: ReadMonth;
let events = 0;

const at = (instant: string) => (now = new Date(instant));
const close = () => {
  const coverage = new TrialCoverage(store, charges);
  return new CloseMonths({ store, closings, accounts, charges, coverage }).execute();
};
const use = (item: string, quantity: number, when = now, organization = 'northwind') =>
  store.record([
    {
      organization,
      source: 'test',
      id: String(events++),
      item,
      quantity: BigInt(Math.round(quantity * 1e6)),
      at: when,
    },
  ]);

beforeEach(async () => {
  at('2026-10-20T12:30:00Z');
  store = new InMemoryUsageStore();
  charges = new FakeChargeBook(usageCard);
  accounts = new Accounts(new InMemoryAccountRepository(() => now), prices);
  closings = new InMemoryMonthClosings(store, () => now);
  months = new ReadMonth(store, accounts, new TrialCoverage(store, charges), { now: () => now });
  await accounts.getOrCreate('northwind');
});

describe('CloseMonths with an account that cannot be charged', () => {
  it('charges the others, keeps the month open, and continues later', async () => {
    await accounts.getOrCreate('globex');
    await accounts.getOrCreate('initech');
    await use('agent-run', 10);
    await use('agent-run', 20, now, 'initech');
    const charge = charges.charge.bind(charges);
    charges.charge = (charged) =>
      charged.some(({ account }) => account.organization === 'globex')
        ? Promise.reject(new Error('no such item'))
        : charge(charged);
    at('2026-11-02T00:00:00Z');
    await expect(close()).rejects.toMatchObject({
      message: 'Not all accounts are charged. Missing: globex for 2026-10.',
      errors: [{ message: 'globex is not charged for 2026-10.', cause: { message: 'no such item' } }],
    });
    const organizations = ['globex', 'initech', 'northwind'];
    const charged = async () =>
      (await Promise.all(organizations.map((each) => charges.list(each)))).map((each) => each.length);
    expect(await charged()).toEqual([0, 1, 1]);
    expect(await closings.uncharged()).toHaveLength(1);
    charges.charge = charge;
    await close();
    expect([await charged(), await closings.uncharged()]).toEqual([[1, 1, 1], []]);
  });
});

describe('ReadMonth', () => {
  it('rates sums above the limit of a single quantity', async () => {
    await use('agent-run', 1e12);
    await use('agent-run', 1e12);
    expect((await months.execute(member)).lines[0]).toMatchObject({ item: 'agent-run', quantity: '2000000000000' });
  });

  it('shows all measured items before anything is used', async () => {
    expect(await months.execute(member)).toEqual({
      period: '2026-10',
      as_of: '2026-10-20T12:30:00.000Z',
      metering: 'on',
      account: {
        created_at: '2026-10-20T12:30:00.000Z',
        card: '2026-10-01',
        legacy_plans: null,
        monthly_included_usd: '10',
        trial: { ends_at: '2026-11-19T13:00:00.000Z', cap_usd: '500', covered_usd: '0' },
      },
      lines: ['gateway-call', 'storage', 'secret', 'standard', 'premium'].map((item) =>
        expect.objectContaining({ item, quantity: '0', amount_usd: '0', in_trial: true, late_quantity: '0' }),
      ),
      included_usd: '0',
      trial_covered_usd: '0',
      total_usd: '0',
      projected_total_usd: '0',
      statement,
    });
  });

  it('charges nothing in the trial, and bills levels by the hours of the month', async () => {
    const levels = Array.from({ length: 11 }, (_, n) => ({
      organization: 'northwind',
      item: 'storage',
      hour: hoursAfter(new Date('2026-10-20T13:00:00Z'), n),
      level: 744n * 1_000_000_000n * MICRO,
    }));
    await store.recordLevels(levels);
    await use('gateway-call', 50_000);
    at('2026-10-31T23:00:00Z');
    const { lines, included_usd, trial_covered_usd, total_usd, account } = await months.execute(member);
    expect(lines.slice(0, 2)).toMatchObject([
      { item: 'gateway-call', quantity: '50000', amount_usd: '20' },
      { item: 'storage', quantity: '11', amount_usd: '0.55' },
    ]);
    expect([included_usd, trial_covered_usd, total_usd]).toEqual(['10', '10.55', '0']);
    expect(account.trial?.covered_usd).toBe('10.55');
  });

  it('splits the month in which the trial ends, and counts what earlier months covered', async () => {
    await use('small', 10);
    await use('agent-run', 1_000, new Date('2026-11-19T12:59:59Z'));
    await use('agent-run', 2_000, new Date('2026-11-19T13:00:00Z'));
    await use('small', 12, new Date('2026-11-02T00:00:00Z'));
    at('2026-11-25T00:00:00Z');
    const { lines, account, ...bill } = await months.execute(member);
    expect(lines.slice(0, 3).map(({ item, amount_usd, in_trial }) => [item, amount_usd, in_trial])).toEqual([
      ['agent-run', '20', true],
      ['small', '300', true],
      ['agent-run', '40', false],
    ]);
    // The trial covers 500, of which October took 250.
    expect(bill).toMatchObject({ included_usd: '10', trial_covered_usd: '250', total_usd: '100' });
    expect(account.trial?.covered_usd).toBe('500');
  });

  it('reads what the trial covered only for months that need it', async () => {
    let reads = 0;
    const trialAmounts = charges.trialAmounts.bind(charges);
    charges.trialAmounts = (organizations) => {
      reads += 1;
      return trialAmounts(organizations);
    };
    await months.execute(member);
    expect(reads).toBe(0);
    at('2026-11-25T00:00:00Z');
    await months.execute(member);
    expect(reads).toBe(1);
    at('2026-12-11T00:00:00Z');
    await use('agent-run', 1);
    await months.execute(member);
    expect(reads).toBe(1);
    await store.close(BillingPeriod.parse('2026-11') as BillingPeriod);
    await use('agent-run', 1, new Date('2026-11-02T00:00:00Z'));
    await months.execute(member);
    expect(reads).toBe(2);
  });

  it('projects the total at the average rate of the month', async () => {
    at('2026-12-11T00:00:00Z');
    await use('agent-run', 10_000, new Date('2026-12-05T00:00:00Z'));
    const month = await months.execute(member);
    expect(month).toMatchObject({ total_usd: '190', projected_total_usd: '610' });
    expect(month.account.trial).toBeNull();
    at('2027-01-20T00:00:00Z');
    expect((await months.execute(member, '2026-12')).projected_total_usd).toBe('190');
  });

  it('projects at the rate of the month, without what was used before', async () => {
    at('2026-12-11T00:00:00Z');
    await use('agent-run', 10_000, new Date('2026-12-05T00:00:00Z'));
    await store.close(BillingPeriod.parse('2026-11') as BillingPeriod);
    await use('agent-run', 1_000, new Date('2026-11-25T00:00:00Z'));
    expect(await months.execute(member)).toMatchObject({ total_usd: '210', projected_total_usd: '630' });
  });

  it('charges usage from before the account in its first month', async () => {
    at('2026-11-01T10:00:00Z');
    await accounts.getOrCreate('globex');
    await use('agent-run', 100, new Date('2026-10-31T10:00:00Z'), 'globex');
    at('2026-11-03T00:00:00Z');
    await close();
    expect(await charges.list('globex')).toEqual([]);
    at('2026-12-03T00:00:00Z');
    await close();
    expect((await charges.find('globex', '2026-11'))?.lines).toMatchObject([{ item: 'agent-run', quantity: '100' }]);
  });

  it('shows no prices for an account with a legacy plan', async () => {
    at('2026-09-01T00:00:00Z');
    await accounts.getOrCreate('older');
    await use('agent-run', 5, now, 'older');
    const legacy_plans = { plans: ['Starter'], rule: null };
    const month = await months.execute({ organization: 'older' });
    const account = { card: null, legacy_plans, monthly_included_usd: null, trial: null };
    expect(month).toMatchObject({ account, lines: [], total_usd: '0' });
    expect((await months.execute(member, '2026-09')).account.legacy_plans).toBeNull();
  });

  it('names the plans of an account and the price that it keeps in the words of the statement', async () => {
    at('2026-03-31T23:59:59Z');
    const month = await months.execute({ organization: 'oldest' });
    expect(month.account.legacy_plans).toEqual({
      plans: ['Starter', 'Workforce'],
      rule: 'Companies on the earlier workforce price keep it.',
    });
  });

  it('has no trial in a month before the account existed', async () => {
    expect(await months.execute(member, '2026-09')).toMatchObject({ account: { trial: null }, total_usd: '0' });
  });

  it.each(['2026-13', '2026', '', '2026-11', '0000-01'])('rejects the period %j in October', async (period) => {
    await expect(months.execute(member, period)).rejects.toMatchObject({ code: 'usage.period-invalid' });
  });

  it('lists the quantity of each day', async () => {
    await use('agent-run', 2);
    await use('agent-run', 3, new Date('2026-10-21T00:00:00Z'));
    expect(await months.daily(member, '2026-10', 'agent-run')).toEqual({
      items: [
        { day: '2026-10-20', quantity: '2' },
        { day: '2026-10-21', quantity: '3' },
      ],
    });
    await expect(months.daily(member, undefined, 'coffee')).rejects.toMatchObject({ code: 'usage.item-unknown' });
  });
});

describe('ChargeHistory', () => {
  it.each(['2026-13', 'now', '\0', '2026-10\0'])('has no charge %j, and does not search for it', async (period) => {
    charges.find = () => Promise.reject(new Error('invalid byte sequence'));
    await expect(new ChargeHistory(charges, true).get(member, period)).rejects.toMatchObject({
      code: 'usage.charge-not-found',
    });
  });
});

describe('while metering is off', () => {
  it('a charged month is shown, and another month says that metering is off', async () => {
    await use('agent-run', 10);
    at('2026-11-02T00:00:00Z');
    await close();
    const history = new ChargeHistory(charges, false);
    expect(await history.get(member, '2026-10')).toMatchObject({ period: '2026-10' });
    await expect(history.get(member, '2026-11')).rejects.toMatchObject({ code: 'usage.metering-off' });
  });

  it('the usage of a month says so', async () => {
    const coverage = new TrialCoverage(store, charges);
    const { metering } = await new ReadMonth(store, accounts, coverage, { isMetering: false }).execute(member);
    expect(metering).toBe('off');
  });
});

describe('CloseMonths', () => {
  it('charges every account once, 24 hours after the end of the month', async () => {
    await accounts.getOrCreate('globex');
    await use('small', 21);
    at('2026-11-01T23:59:59Z');
    await close();
    expect(await charges.list('northwind')).toEqual([]);
    at('2026-11-02T00:00:00Z');
    await Promise.all([close(), close()]);
    await close();
    expect(await charges.list('northwind')).toMatchObject([
      { period: '2026-10', trial_covered_usd: '500', total_usd: '25' },
    ]);
    expect(await charges.list('globex')).toMatchObject([{ period: '2026-10', total_usd: '0', lines: [] }]);
  });

  it('charges months that passed while no instance ran, in order', async () => {
    await use('agent-run', 1);
    at('2027-02-10T00:00:00Z');
    await close();
    expect((await charges.list('northwind')).map(({ period }) => period)).toEqual([
      '2027-01',
      '2026-12',
      '2026-11',
      '2026-10',
    ]);
  });

  it('does not charge a month before the account existed, nor an account with a legacy plan', async () => {
    await use('agent-run', 1);
    at('2026-11-01T10:00:00Z');
    await accounts.getOrCreate('globex');
    at('2026-09-30T00:00:00Z');
    await accounts.getOrCreate('oldest');
    at('2026-11-03T00:00:00Z');
    await close();
    expect(await charges.list('globex')).toEqual([]);
    expect(await charges.list('oldest')).toEqual([]);
  });

  it('continues after a failure with the accounts that are not charged', async () => {
    for (let n = 0; n < 200; n += 1) await accounts.getOrCreate(`organization-${n}`);
    await use('agent-run', 1);
    at('2026-11-03T00:00:00Z');
    const charge = charges.charge.bind(charges);
    let left = 2;
    charges.charge = async (charged) => {
      if (left-- <= 0) throw new Error('killed');
      await charge(charged);
    };
    await expect(close()).rejects.toThrow(/: organization-188 for 2026-10, .* and 91 more\.$/);
    charges.charge = charge;
    await close();
    for (let n = 0; n < 200; n += 1) expect(await charges.list(`organization-${n}`)).toHaveLength(1);
    expect(charges.attempts.get('organization-0 2026-10')).toBe(1);
    expect(await closings.uncharged()).toEqual([]);
  });

  it('moves usage that arrives after the charge to the next month, with its trial', async () => {
    await use('agent-run', 1);
    at('2026-11-03T00:00:00Z');
    await close();
    await use('agent-run', 1_000, new Date('2026-10-25T00:00:00Z'));
    await use('agent-run', 2);
    const [line] = (await months.execute(member)).lines;
    expect(line).toMatchObject({ item: 'agent-run', quantity: '1002', late_quantity: '1000', in_trial: true });
    expect((await months.execute(member, '2026-10')).lines[0]).toMatchObject({ quantity: '1' });
  });

  /** Three years in which products report, repeat and delay events, and closing is interrupted. */
  it('charges exactly the accepted usage in any order, with repeats, delays and interruptions', async () => {
    const start = new Date('2026-10-20T12:30:00Z');
    const hours = 3 * 365 * 24;
    const event = fc.record({
      hour: fc.nat(hours - 1),
      delay: fc.oneof(fc.constant(0), fc.nat(24 * 40)),
      repeats: fc.nat(2),
      item: fc.constantFrom('agent-run', 'tool-call', 'small', 'vault'),
      micro: fc.bigInt(0n, 5_000n * MICRO),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 60 }), fc.infiniteStream(fc.boolean()), async (used, kills) => {
        at(start.toISOString());
        store = new InMemoryUsageStore();
        charges = new FakeChargeBook(usageCard);
        accounts = new Accounts(new InMemoryAccountRepository(() => now), prices);
        closings = new InMemoryMonthClosings(store, () => now);
        await accounts.getOrCreate('northwind');
        const sent = used.flatMap(({ hour, delay, repeats, item, micro }, n) =>
          Array.from({ length: repeats + 1 }, (_, again) => ({
            at: hoursAfter(start, hour + delay + again),
            event: {
              organization: 'northwind',
              source: 'x',
              id: String(n),
              item,
              quantity: micro,
              at: hoursAfter(start, hour),
            },
          })),
        );
        sent.sort((one, other) => one.at.getTime() - other.at.getTime());
        let next = 0;
        const end = hoursAfter(start, hours + 24 * 100);
        for (let month = BillingPeriod.containing(start); month.start < end; month = month.next()) {
          now = hoursAfter(month.start, 24);
          while (sent[next] && sent[next]!.at < now) await store.record([sent[next++]!.event]);
          const charge = charges.charge.bind(charges);
          if (kills.next().value) {
            charges.charge = async (request) => {
              await charge(request);
              throw new Error('killed');
            };
            await close().catch(() => undefined);
            charges.charge = charge;
          }
          await close();
        }
        const charged = await charges.list('northwind');
        for (const item of ['agent-run', 'tool-call', 'small', 'vault']) {
          const expected = used.filter((each) => each.item === item).reduce((total, { micro }) => total + micro, 0n);
          const lines = charged.flatMap((month) => month.lines).filter((line) => line.item === item);
          expect(lines.reduce((total, { quantity }) => total + microOf(quantity), 0n)).toBe(expected);
        }
        const covered = charged.reduce((total, { trial_covered_usd: usd }) => total + Number(usd), 0);
        expect(covered).toBeLessThanOrEqual(500.001);
        for (const month of charged) {
          const gross = month.lines.reduce((total, { amount_usd }) => total + centsOf(amount_usd), 0n);
          expect(gross - centsOf(month.included_usd) - centsOf(month.trial_covered_usd)).toBe(centsOf(month.total_usd));
        }
      }),
      { numRuns: suiteSize(30, 1_000) },
    );
  });
});

function microOf(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function centsOf(usd: string): bigint {
  return microOf(usd) / 10_000n;
}
