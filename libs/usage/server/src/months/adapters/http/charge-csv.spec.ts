import { describe, expect, it } from '@jest/globals';
import type { ChargedMonth } from '@homeport/usage/contracts';
import { chargeCsv, focusCsv } from './charge-csv';

const charge: ChargedMonth = {
  period: '2026-11',
  total_usd: '2.5',
  corrected_total_usd: '2.5',
  charged_at: '2026-12-02T00:00:00.000Z',
  card: '2026-10-01',
  statement: { version: '2026-10-01', sha256: 'ab' },
  lines: [
    {
      item: 'gateway-call',
      label: 'Gateway call, "HTTP"',
      unit: 'call',
      quantity: '31250',
      unit_usd: '0.0004',
      amount_usd: '12.5',
      waived: false,
      in_trial: false,
      sentence: 'Gateway call: 31250 × 0.0004 USD a call = 12.5 USD, rounded half-even to the cent.',
    },
  ],
  corrections: [],
  included_usd: '10',
  trial_covered_usd: '0',
};

const sentence = 'Correction T-1 of the charge of 2026-11: -1.5 USD. Outage.';
const corrected: ChargedMonth = {
  ...charge,
  lines: [{ ...charge.lines[0]!, label: 'Gateway call', sentence: 'x' }],
  corrected_total_usd: '1.5',
  corrections: [
    {
      ...{ reference: 'T-1', item: 'gateway-call', amount_usd: '-1.5', reason: 'Outage.', sentence },
      corrected_at: '2026-12-05T00:00:00.000Z',
    },
    {
      ...{ reference: 'T-2', item: null, amount_usd: '0.5', reason: 'Fee.', sentence: 'Fee.' },
      corrected_at: '2026-12-06T00:00:00.000Z',
    },
  ],
};

describe('chargeCsv', () => {
  it('ends with the corrections and the corrected total', () => {
    expect(chargeCsv(corrected).split('\r\n').slice(-5)).toEqual([
      '2026-11,total,Total,,,,2.5,,,,2026-10-01,ab',
      `2026-11,gateway-call,Correction T-1,,,,-1.5,,,${sentence},2026-10-01,ab`,
      '2026-11,correction,Correction T-2,,,,0.5,,,Fee.,2026-10-01,ab',
      '2026-11,corrected-total,Corrected total,,,,1.5,,,,2026-10-01,ab',
      '',
    ]);
  });

  it('has a row for each line and each sum, quoted as in RFC 4180', () => {
    expect(chargeCsv(charge).split('\r\n')).toEqual([
      'period,item,label,unit,quantity,unit_usd,amount_usd,waived,in_trial,sentence,statement_version,statement_sha256',
      '2026-11,gateway-call,"Gateway call, ""HTTP""",call,31250,0.0004,12.5,false,false,' +
        '"Gateway call: 31250 × 0.0004 USD a call = 12.5 USD, rounded half-even to the cent.",2026-10-01,ab',
      '2026-11,included,Included usage,,,,-10,,,,2026-10-01,ab',
      '2026-11,trial,Covered by the trial,,,,0,,,,2026-10-01,ab',
      '2026-11,total,Total,,,,2.5,,,,2026-10-01,ab',
      '',
    ]);
  });
});

describe('cells that a spreadsheet would run as formulas', () => {
  it.each(['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1', '\r=1', '＝1+1'])('marks %j as text', (text) => {
    const line = { ...charge.lines[0]!, label: text, sentence: 'x' };
    const label = /[\r]/.test(text) ? `"'${text}"` : `'${text}`;
    expect(chargeCsv({ ...charge, lines: [line] })).toContain(`,gateway-call,${label},`);
    expect(focusCsv({ ...charge, lines: [line] }, text)).toContain(`12.5,${label},${label},USD,`);
  });

  it('keeps negative amounts as numbers', () => {
    expect(chargeCsv(charge)).toContain(',-10,');
  });
});

describe('focusCsv', () => {
  it('has usage and credits whose billed costs add up to the total', () => {
    const records = recordsOf(
      focusCsv({ ...charge, lines: [{ ...charge.lines[0]!, label: 'Gateway call', sentence: 'x' }] }, 'northwind'),
    );
    expect(records).toHaveLength(3);
    expect(records[0]).toMatchObject({
      BillingAccountId: 'northwind',
      BillingPeriodStart: '2026-11-01T00:00:00Z',
      BillingPeriodEnd: '2026-12-01T00:00:00Z',
      ChargeCategory: 'Usage',
      PricingQuantity: '31250',
      ListUnitPrice: '0.0004',
      SkuPriceId: '2026-10-01/gateway-call',
    });
    expect(records.slice(1).map((record) => record['ChargeCategory'])).toEqual(['Credit', 'Credit']);
    const billed = records.reduce((total, record) => total + Number(record['BilledCost']), 0);
    expect(billed).toBe(Number(charge.total_usd));
  });

  it('has the exact list cost of each line, and bills the rounded one, or 0 for what the trial waives', () => {
    const line = { ...charge.lines[0]!, label: 'x', sentence: 'x' };
    const rounded = { ...line, quantity: '31251.5', amount_usd: '12.5' };
    const waived = {
      ...line,
      item: 'vault',
      quantity: '2',
      unit_usd: '5',
      amount_usd: '0',
      waived: true,
      in_trial: true,
    };
    const records = recordsOf(focusCsv({ ...charge, lines: [rounded, waived] }, 'northwind'));
    expect(records.slice(0, 2).map(costsOf)).toEqual([
      { BilledCost: '12.5', EffectiveCost: '12.5', ContractedCost: '12.5006', ListCost: '12.5006' },
      { BilledCost: '0', EffectiveCost: '0', ContractedCost: '10', ListCost: '10' },
    ]);
  });

  it('has the billed cost of credits and corrections as their list cost, because they have no unit price', () => {
    const records = recordsOf(focusCsv(corrected, 'northwind')).slice(1);
    expect(records.map(({ BilledCost }) => BilledCost)).toEqual(['-10', '0', '-1.5', '0.5']);
    for (const record of records) expect(new Set(Object.values(costsOf(record))).size).toBe(1);
  });

  it('names the statement that priced the charge in every row', () => {
    const records = recordsOf(focusCsv(corrected, 'northwind'));
    expect(records).toHaveLength(5);
    for (const { x_StatementVersion, x_StatementSha256 } of records) {
      expect([x_StatementVersion, x_StatementSha256]).toEqual(['2026-10-01', 'ab']);
    }
  });

  it('has corrections as charges of the class Correction, whose costs add up to the corrected total', () => {
    const records = recordsOf(focusCsv(corrected, 'northwind'));
    expect(records.slice(3)).toMatchObject([
      { ChargeClass: 'Correction', ChargeCategory: 'Usage', SkuId: 'gateway-call', BilledCost: '-1.5' },
      { ChargeClass: 'Correction', ChargeCategory: 'Adjustment', SkuId: '', BilledCost: '0.5' },
    ]);
    expect(records.reduce((total, record) => total + Number(record['BilledCost']), 0)).toBe(1.5);
  });
});

function costsOf({ BilledCost, EffectiveCost, ContractedCost, ListCost }: Record<string, string | undefined>) {
  return { BilledCost, EffectiveCost, ContractedCost, ListCost };
}

function recordsOf(file: string): Record<string, string | undefined>[] {
  const [header = '', ...rows] = file.trim().split('\r\n');
  const columns = header.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, n) => [columns[n], cell])));
}
