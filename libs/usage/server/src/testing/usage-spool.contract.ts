import { describe, expect, it } from '@jest/globals';
import type { UsageSpool } from '../metering/application/usage-spool.port';
import type { UsageBatch } from '../metering/domain/counted-use';

/** Contract tests of all `UsageSpool` adapters. @param open creates an empty spool. */
export function usageSpoolContract(name: string, open: () => Promise<UsageSpool>): void {
  describe(`${name} as a usage spool`, () => {
    const batch = (batchName: string): UsageBatch => ({
      name: batchName,
      uses: [
        {
          organization: 'northwind',
          item: 'gateway-call',
          hour: new Date('2026-11-20T10:00:00Z'),
          quantity: 12_345_678_901_234_567_890n,
        },
      ],
    });

    it('returns batches unchanged, in the order of their names', async () => {
      const spool = await open();
      await spool.add(batch('b-2'));
      await spool.add(batch('b-1'));
      expect(await spool.names()).toEqual(['b-1', 'b-2']);
      expect(await spool.read('b-2')).toEqual(batch('b-2'));
    });

    it('removes a batch, also when it is already removed', async () => {
      const spool = await open();
      await spool.add(batch('b-1'));
      await spool.remove('b-1');
      await spool.remove('b-1');
      expect(await spool.names()).toEqual([]);
      expect(await spool.read('b-1')).toBeUndefined();
    });
  });
}
