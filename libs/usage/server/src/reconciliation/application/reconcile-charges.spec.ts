import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAccountRepository } from '@homeport/organizations/server';
import type { BillingPeriod, ChargedMonth } from '@homeport/usage/contracts';
import { InMemoryUsageSpool } from '../../metering/adapters/memory/in-memory-usage-spool';
import { InMemoryUsageStore } from '../../metering/adapters/memory/in-memory-usage-store';
import { batchName } from '../../metering/domain/counted-use';
import { InMemoryMonthClosings } from '../../months/adapters/memory/in-memory-month-closings';
import { Accounts } from '../../months/application/accounts';
import { CloseMonths, type ClosingPorts } from '../../months/application/close-months';
import { TrialCoverage } from '../../months/application/trial-coverage';
import { FakeChargeBook, legacyPrices, usageCard } from '../../testing';
import { ReconcileCharges } from './reconcile-charges';
import type { SumMismatch } from './usage-audit.port';

const statement = { version: '2026-10-01', sha256: '' };
const prices = { current: async () => ({ statement, cards: [usageCard], legacy: legacyPrices }) };

describe('ReconcileCharges', () => {
  let now: Date;
  let store: InMemoryUsageStore;
  let charges: FakeChargeBook;
  let spool: InMemoryUsageSpool;
  let accounts: Accounts;
  let ports: ClosingPorts;
  let mismatches: SumMismatch[];
  let events = 0;
  const at = (instant: string) => (now = new Date(instant));
  const use = (item: string, quantity: number, organization = 'northwind', when = now) =>
    store.record([
      { organization, source: 'test', id: String(events++), item, quantity: BigInt(quantity) * 1_000_000n, at: when },
    ]);
  const close = () => new CloseMonths(ports).execute();
  const findings = async (severity: string, only?: BillingPeriod) => {
    const audit = {
      organizations: async (after = '') => ['globex', 'northwind', 'oldest'].filter((name) => name > after).slice(0, 2),
      withUsage: async (_: BillingPeriod, organizations: readonly string[]) => organizations,
      mismatches: async (_: BillingPeriod, organizations: readonly string[]) =>
        mismatches.filter(({ organization }) => organizations.includes(organization)),
    };
    const found: string[] = [];
    for await (const each of new ReconcileCharges({ ...ports, audit, spool }).execute(only)) {
      if (each.severity === severity) found.push(`${each.subject}: ${each.text}`);
    }
    return found;
  };

  beforeEach(async () => {
    at('2026-09-20T00:00:00Z');
    store = new InMemoryUsageStore();
    charges = new FakeChargeBook(usageCard);
    spool = new InMemoryUsageSpool();
    mismatches = [];
    accounts = new Accounts(new InMemoryAccountRepository(() => now), prices);
    const coverage = new TrialCoverage(store, charges);
    ports = { store, charges, accounts, coverage, closings: new InMemoryMonthClosings(store, () => now) };
    await accounts.getOrCreate('oldest');
    at('2026-10-01T00:00:00Z');
    for (const organization of ['northwind', 'globex']) await accounts.getOrCreate(organization);
    at('2026-11-05T00:00:00Z');
    await use('agent-run', 1_000);
    await use('small', 1, 'globex');
    await use('small', 1, 'oldest');
    at('2026-12-02T00:00:00Z');
    await close();
  });

  it('finds nothing wrong in charges that are usage × prices, and explains late usage and legacy plans', async () => {
    await use('agent-run', 50, 'northwind', new Date('2026-11-06T00:00:00Z'));
    at('2027-01-02T00:00:00Z');
    await close();
    expect(await findings('fault')).toEqual([]);
    expect(await findings('note')).toEqual([
      'oldest 2026-11: It has a legacy plan, which Homeport does not charge.',
      '2026-11: 2 accounts are charged 35 USD. Usage × prices gives 35 USD.',
      'northwind 2026-12: 50 of agent-run were used before 2026-12 and reported late.',
      '2026-12: 2 accounts are charged 0 USD. Usage × prices gives 0 USD.',
    ]);
  });

  it('checks no month before the first closed one, in which usage of earlier months counts', async () => {
    await use('agent-run', 50, 'northwind', new Date('2026-10-06T00:00:00Z'));
    at('2027-01-02T00:00:00Z');
    await close();
    expect(await findings('fault')).toEqual([]);
  });

  it('states the sum with corrections', async () => {
    const correction = { reference: 'T-1', item: null, amount_usd: '-4.5', reason: 'Outage.', sentence: 'Outage.' };
    charges.falsify('northwind', '2026-11', (month) => ({
      ...month,
      corrected_total_usd: '5.5',
      corrections: [{ ...correction, corrected_at: '2026-12-05T00:00:00.000Z' }],
    }));
    expect(await findings('fault')).toEqual([]);
    expect(await findings('note')).toContain(
      '2026-11: 2 accounts are charged 35 USD. Usage × prices gives 35 USD. With 1 corrections it is 30.5 USD.',
    );
  });

  const falsified: readonly [string, (month: ChargedMonth) => ChargedMonth | undefined, string][] = [
    [
      'a quantity',
      (month) => ({ ...month, lines: month.lines.map((line) => ({ ...line, quantity: '999' })) }),
      'agent-run is charged 999 × 0.02 USD = 20 USD, and usage × prices gives 1000 × 0.02 USD = 20 USD.',
    ],
    [
      'a line that is missing',
      (month) => ({ ...month, lines: [] }),
      'agent-run is charged nothing, and usage × prices gives 1000 × 0.02 USD = 20 USD.',
    ],
    [
      'a line that is charged twice',
      (month) => ({ ...month, lines: [...month.lines, ...month.lines] }),
      'agent-run is charged 1000 × 0.02 USD = 20 USD and 1000 × 0.02 USD = 20 USD, and usage × prices gives ' +
        '1000 × 0.02 USD = 20 USD.',
    ],
    ['a total', (month) => ({ ...month, total_usd: '9' }), 'The total is 9, and usage × prices gives 10.'],
    [
      'the included amount',
      (month) => ({ ...month, included_usd: '0' }),
      'The included amount is 0, and usage × prices gives 10.',
    ],
    ['the card', (month) => ({ ...month, card: 'x' }), 'The usage card is x, and usage × prices gives 2026-10-01.'],
    ['a charge that is missing', () => undefined, 'It is not charged. Usage × prices gives 10 USD.'],
  ];
  it.each(falsified)('finds %s', async (_, change, text) => {
    charges.falsify('northwind', '2026-11', change);
    expect(await findings('fault')).toEqual([`northwind 2026-11: ${text}`]);
  });

  it('finds charges and usage without an account, and events that are not in the hourly sums', async () => {
    await charges.charge([
      {
        ...{ account: { organization: 'ghost', createdAt: now }, period: '2026-11', coveredCents: 0n },
        ...{ usage: { inTrial: {}, afterTrial: {} }, late: { inTrial: {}, afterTrial: {} } },
      },
    ]);
    mismatches = [{ organization: 'northwind', item: 'agent-run', eventSum: '7', hourlySum: '1000' }];
    expect(await findings('fault')).toEqual([
      'northwind 2026-11: The events of agent-run add up to 7, and the hourly sums to 1000.',
      'ghost 2026-11: It is charged and has no account for that month.',
    ]);
  });

  it('checks each charge of many accounts once, and finds those without an account anywhere in the order', async () => {
    at('2026-12-01T00:00:00Z');
    for (let n = 0; n < 120; n += 1) await accounts.getOrCreate(`m-${n}`);
    at('2027-01-02T00:00:00Z');
    await close();
    const usage = { inTrial: {}, afterTrial: {} };
    const ghosts = ['a', 'm-5x', ...Array.from({ length: 60 }, (_, n) => `m-99x${n}`), 'z'];
    await charges.charge(
      ghosts.map((organization) => ({
        ...{ account: { organization, createdAt: now }, period: '2026-12', coveredCents: 0n, usage, late: usage },
      })),
    );
    expect((await findings('fault')).sort()).toEqual(
      ghosts.map((ghost) => `${ghost} 2026-12: It is charged and has no account for that month.`).sort(),
    );
    expect(await findings('note')).toContain('2026-12: 185 accounts are charged 0 USD. Usage × prices gives 0 USD.');
  });

  it('finds due months that are not charged, and counts batches that wait', async () => {
    await spool.add({ name: batchName('a', 0), uses: [] });
    at('2027-01-02T00:00:00Z');
    expect(await findings('fault')).toEqual(['2026-12: The month is due, and not charged completely.']);
    expect(await findings('note')).toContain(
      'spool: 1 batches of usage wait for PostgreSQL. Check again in ten seconds.',
    );
  });
});
