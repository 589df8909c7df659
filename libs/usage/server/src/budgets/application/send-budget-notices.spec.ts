import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { UsageMonth } from '@homeport/usage/contracts';
import { InMemoryBudgetNoticeLedger } from '../adapters/memory/in-memory-budget-notice-ledger';
import { InMemoryBudgetRepository } from '../adapters/memory/in-memory-budget-repository';
import type { BudgetNotice } from './budget-notice-ledger.port';
import { NoticeNotSent } from './notice-sender.port';
import { SendBudgetNotices } from './send-budget-notices';

const MINUTE_MS = 60_000;

describe('SendBudgetNotices', () => {
  let now: number;
  let budgets: InMemoryBudgetRepository;
  let notices: InMemoryBudgetNoticeLedger;
  let totals: Record<string, string | Error>;
  let sent: BudgetNotice[];
  let retries: number[];
  let fails: (notice: BudgetNotice) => boolean;

  const run = () =>
    new SendBudgetNotices(
      {
        ...{ budgets, notices },
        months: {
          execute: async ({ organization }, period) => {
            const total = totals[`${organization} ${period}`] ?? '0';
            if (total instanceof Error) throw total;
            return { period, total_usd: total } as UsageMonth;
          },
        },
        sender: {
          send: async (notice) => {
            if (fails(notice)) throw new NoticeNotSent('The receiver answered 500');
            sent.push(notice);
          },
        },
        retryAfter: async (seconds) => void retries.push(seconds),
      },
      () => now,
    ).execute();
  const sentOf = () => sent.map(({ organization, period, percent }) => `${organization} ${period} ${percent}`);

  beforeEach(async () => {
    now = Date.parse('2026-11-27T08:30:00Z');
    budgets = new InMemoryBudgetRepository(() => now);
    notices = new InMemoryBudgetNoticeLedger(() => now);
    totals = {};
    sent = [];
    retries = [];
    fails = () => false;
    await budgets.save('northwind', { monthlyUsd: '100', notifyAt: [50, 75, 100] });
  });

  it('sends a notice for each reached percentage, once', async () => {
    totals['northwind 2026-11'] = '49.99';
    await run();
    expect(sent).toEqual([]);
    totals['northwind 2026-11'] = '75';
    await Promise.all([run(), run()]);
    await run();
    expect(sentOf()).toEqual(['northwind 2026-11 50', 'northwind 2026-11 75']);
    expect(sent[0]).toMatchObject({ budgetUsd: '100', totalUsd: '75' });
    await budgets.save('northwind', { monthlyUsd: '70', notifyAt: [100] });
    await run();
    expect(sentOf().slice(2)).toEqual(['northwind 2026-11 100']);
    await budgets.save('northwind', { monthlyUsd: undefined, notifyAt: [10] });
    await run();
    expect(sent).toHaveLength(3);
  });

  it('sends notices of the last minutes of a month in the day after it', async () => {
    totals = { 'northwind 2026-11': '120', 'northwind 2026-12': '10' };
    now = Date.parse('2026-12-01T00:05:00Z');
    await run();
    expect(sentOf()).toEqual([50, 75, 100].map((percent) => `northwind 2026-11 ${percent}`));
    await budgets.save('northwind', { monthlyUsd: '1', notifyAt: [50] });
    now = Date.parse('2026-12-02T00:00:00Z');
    await run();
    expect(sentOf().slice(3)).toEqual(['northwind 2026-12 50']);
  });

  it('compares a month only with a budget that was set before its end', async () => {
    totals = { 'northwind 2026-11': '120', 'northwind 2026-12': '1' };
    now = Date.parse('2026-12-01T00:00:00Z');
    await budgets.save('northwind', { monthlyUsd: '2', notifyAt: [50] });
    await run();
    expect(sentOf()).toEqual(['northwind 2026-12 50']);
  });

  it('removes the notices of a month 62 days after its end', async () => {
    const removed: string[] = [];
    notices.removeBefore = async (period) => void removed.push(period);
    now = Date.parse('2027-01-31T23:59:59Z');
    await run();
    now = Date.parse('2027-02-01T00:00:00Z');
    await run();
    expect(removed).toEqual(['2026-11', '2026-12']);
  });

  it('tries again after 1, 2 and 4 minutes up to 6 hours, and gives up after 16 attempts', async () => {
    await budgets.save('northwind', { monthlyUsd: '100', notifyAt: [50] });
    totals['northwind 2026-11'] = '60';
    fails = () => true;
    for (let attempt = 1; attempt <= 16; attempt++) {
      await expect(run()).rejects.toThrow(NoticeNotSent);
      await run();
      now += (retries.at(-1) as number) * 1_000;
    }
    expect(retries.slice(0, 4)).toEqual([60, 120, 240, 480]);
    expect(retries.slice(9)).toEqual(Array.from({ length: 6 }, () => 6 * 3_600));
    fails = () => false;
    await run();
    expect(sent).toEqual([]);
  });

  it('sends the others when one fails, and stops after five failures', async () => {
    totals['northwind 2026-11'] = '100';
    fails = ({ percent }) => percent === 50;
    await expect(run()).rejects.toThrow(NoticeNotSent);
    expect(sentOf()).toEqual(['northwind 2026-11 75', 'northwind 2026-11 100']);
    let attempts = 0;
    fails = () => ++attempts > 0;
    for (const organization of ['a', 'b', 'c']) {
      await budgets.save(organization, { monthlyUsd: '1', notifyAt: [50, 100] });
      totals[`${organization} 2026-11`] = '1';
    }
    await expect(run()).rejects.toThrow(NoticeNotSent);
    expect(attempts).toBe(5);
  });

  it('sends the notices of other organizations when a month cannot be read', async () => {
    await budgets.save('globex', { monthlyUsd: '1', notifyAt: [100] });
    totals = { 'globex 2026-11': new Error('No prices'), 'northwind 2026-11': '50' };
    await expect(run()).rejects.toThrow('No prices');
    expect(sentOf()).toEqual(['northwind 2026-11 50']);
  });

  it('ends the run when PostgreSQL is unavailable, without a query for each budget', async () => {
    await budgets.save('globex', { monthlyUsd: '1', notifyAt: [100] });
    totals = { 'globex 2026-11': new DatabaseUnavailable(), 'northwind 2026-11': '50' };
    await expect(run()).rejects.toThrow(DatabaseUnavailable);
    expect(sent).toEqual([]);
  });

  it('sends a notice again when the process ends before the result is stored', async () => {
    totals['northwind 2026-11'] = '50';
    const markSent = notices.markSent.bind(notices);
    notices.markSent = async () => Promise.reject(new Error('Killed'));
    notices.postpone = async () => undefined;
    await expect(run()).rejects.toThrow('Killed');
    notices.markSent = markSent;
    await run();
    expect(sent).toHaveLength(1);
    now += MINUTE_MS;
    await run();
    expect(sent.map(({ id }) => id)).toEqual([sent[0]?.id, sent[0]?.id]);
  });
});
