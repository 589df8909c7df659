import { beforeEach, describe, expect, it } from '@jest/globals';
import type { InvoiceLine, InvoicingSystem } from '../invoicing/application/invoicing-system.port';

/** An invoicing system with what it knows. */
export interface InvoicingUnderTest {
  readonly invoicing: InvoicingSystem;
  /** All lines that the system has, in the order in which they arrived. The suite compares them unchanged. */
  lines(): Promise<readonly InvoiceLine[]>;
  /** Makes the system refuse the next lines. */
  refuseOnce(): void;
}

const usage: InvoiceLine = {
  ...{ key: '0198-a:0', organization: 'northwind', period: '2026-11', kind: 'usage', item: 'agent-run' },
  description: 'Agent run, "nightly": 3000.000001 × 0.02 USD a run = 60 USD.\nMünchen',
  ...{ quantity: '3000.000001', unit: 'run', unit_usd: '0.020000001', amount_usd: '999999999.99' },
  ...{ recorded_at: '2026-12-02T00:10:00.000Z', statement_version: '2026-10-01', statement_sha256: 'ab12' },
};
const amountOnly = { ...usage, item: null, quantity: null, unit: null, unit_usd: null };
const lines: readonly InvoiceLine[] = [
  usage,
  { ...amountOnly, key: '0198-a:included', kind: 'included', description: 'Included usage', amount_usd: '-10' },
  { ...amountOnly, key: '0198-a:trial', kind: 'trial', description: 'Covered by the trial', amount_usd: '-0.01' },
  { ...amountOnly, key: '0198-a:correction:T-1', kind: 'correction', item: 'storage', amount_usd: '-5.5' },
];

export interface InvoicingContract {
  /** Creates a system without lines. */
  readonly open: () => Promise<InvoicingUnderTest>;
  /** False for an adapter of files, which another system imports. Default: true. */
  readonly ignoresKnownKeys?: boolean;
}

/** Contract tests of all `InvoicingSystem` adapters. */
export function invoicingSystemContract(name: string, { open, ignoresKnownKeys = true }: InvoicingContract): void {
  describe(`${name} as an invoicing system`, () => {
    let test: InvoicingUnderTest;
    beforeEach(async () => {
      test = await open();
    });

    it('receives all fields of lines of every kind, with all digits, in order', async () => {
      await test.invoicing.add(lines);
      expect(await test.lines()).toEqual(lines);
    });

    it('receives the lines of several calls', async () => {
      for (const line of lines) await test.invoicing.add([line]);
      await test.invoicing.add([]);
      expect(await test.lines()).toEqual(lines);
    });

    const known = lines.slice(0, 2);
    const again = ignoresKnownKeys ? lines : [...known, ...lines];
    it(`${ignoresKnownKeys ? 'ignores' : 'repeats, unchanged,'} lines with known keys`, async () => {
      await test.invoicing.add(known);
      await test.invoicing.add(lines);
      expect(await test.lines()).toEqual(again);
    });

    it('rejects when the system refuses lines, and accepts them later', async () => {
      test.refuseOnce();
      await expect(test.invoicing.add(lines)).rejects.toThrow();
      expect(await test.lines()).toEqual([]);
      await test.invoicing.add(lines);
      expect(await test.lines()).toEqual(lines);
    });
  });
}
