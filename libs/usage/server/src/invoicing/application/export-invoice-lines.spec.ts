import { beforeEach, describe, expect, it } from '@jest/globals';
import { BillingPeriod, type ChargedMonth } from '@homeport/usage/contracts';
import { InMemoryUsageStore } from '../../metering/adapters/memory/in-memory-usage-store';
import { InMemoryMonthClosings } from '../../months/adapters/memory/in-memory-month-closings';
import { MonthNotCharged } from '../../months/domain/months.errors';
import { FakeChargeBook, usageCard } from '../../testing';
import { type InvoiceFormat, TextInvoicingSystem } from '../adapters/text/text-invoicing-system';
import { ExportInvoiceLines } from './export-invoice-lines';
import type { InvoiceLine } from './invoicing-system.port';

const november = BillingPeriod.parse('2026-11') as BillingPeriod;
const createdAt = new Date('2026-10-01T00:00:00Z');

describe('ExportInvoiceLines', () => {
  let charges: FakeChargeBook;
  let closings: InMemoryMonthClosings;
  const exported = async (format: InvoiceFormat) => {
    let output = '';
    const invoicing = new TextInvoicingSystem(format, async (text) => void (output += text));
    await new ExportInvoiceLines(closings, charges, invoicing).execute(november);
    return output;
  };
  const lines = async () =>
    (await exported('jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as InvoiceLine);

  beforeEach(async () => {
    charges = new FakeChargeBook(usageCard);
    closings = new InMemoryMonthClosings(new InMemoryUsageStore(), () => createdAt);
    const usage = { inTrial: {}, afterTrial: { meters: { storage: 300, 'agent-run': 1 } } };
    for (const organization of ['globex', 'northwind']) {
      const account = { organization, createdAt };
      await charges.charge([{ account, period: '2026-11', usage, late: usage, coveredCents: 0n }]);
    }
    await closings.finish(november);
  });

  it('has a line for each part of each charge, and the lines add up to what the organization owes', async () => {
    charges.falsify('northwind', '2026-11', (month: ChargedMonth) => ({
      ...month,
      corrections: [
        {
          ...{ reference: 'T-1', item: null, amount_usd: '-0.02', reason: 'Outage.', sentence: 'Correction T-1.' },
          corrected_at: '2026-12-05T00:00:00.000Z',
        },
      ],
    }));
    const all = await lines();
    const northwind = all.filter(({ organization }) => organization === 'northwind');
    expect(northwind).toMatchObject([
      { key: 'northwind 2026-11:0', kind: 'usage', item: 'agent-run', quantity: '1', unit_usd: '0.02' },
      { key: 'northwind 2026-11:1', kind: 'usage', item: 'storage', unit: 'gb-month', amount_usd: '15' },
      { key: 'northwind 2026-11:included', kind: 'included', quantity: null, amount_usd: '-10' },
      { key: 'northwind 2026-11:correction:T-1', kind: 'correction', recorded_at: '2026-12-05T00:00:00.000Z' },
    ]);
    expect(northwind.reduce((sum, { amount_usd }) => sum + Number(amount_usd), 0)).toBeCloseTo(5);
    expect(new Set(all.map(({ key }) => key)).size).toBe(7);
  });

  it('names the statement that priced the charge in every line', async () => {
    const all = await lines();
    expect(all).toHaveLength(6);
    for (const line of all) expect(line).toMatchObject({ statement_version: '2026-10-01', statement_sha256: 'ab12' });
  });

  it('exports the same bytes again', async () => {
    for (const format of ['jsonl', 'csv'] as const) expect(await exported(format)).toBe(await exported(format));
  });

  it('writes CSV with one header', async () => {
    const rows = (await exported('csv')).trim().split('\r\n');
    expect(rows[0]).toBe(
      'key,organization,period,kind,item,description,quantity,unit,unit_usd,amount_usd,recorded_at,' +
        'statement_version,statement_sha256',
    );
    expect(rows).toHaveLength(7);
    expect(rows[2]).toBe(
      'globex 2026-11:1,globex,2026-11,usage,storage,,300,gb-month,0.05,15,1970-01-01T00:00:00.000Z,2026-10-01,ab12',
    );
  });

  it('exports nothing before all accounts are charged', async () => {
    closings = new InMemoryMonthClosings(new InMemoryUsageStore(), () => createdAt);
    await expect(exported('jsonl')).rejects.toThrow(MonthNotCharged);
  });
});
