import { describe, expect, it } from '@jest/globals';
import type { UsageBatch, UsageSpool } from '../metering/application/usage-spool.port';

/** Contract tests of all `UsageSpool` adapters. @param open creates an empty spool. */
export function usageSpoolContract(name: string, open: () => Promise<UsageSpool>): void {
  describe(`${name} as a usage spool`, () => {
    const batch = (batchName: string): UsageBatch => ({
      name: batchName,
      events: [
        {
          organization: 'northwind',
          source: 'urn:homeport:api:1',
          id: `${batchName}:0`,
          item: 'gateway-call',
          quantity: 12_345_678_901_234_567_890n,
          at: new Date('2026-11-20T10:00:00.123Z'),
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
