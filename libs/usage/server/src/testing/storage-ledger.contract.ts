import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StorageLedger } from '../storage/application/storage-ledger.port';

let count = 0;

/** Contract tests of all `StorageLedger` adapters. @param open creates an empty ledger. */
export function storageLedgerContract(name: string, open: () => Promise<StorageLedger>): void {
  describe(`${name} as a storage ledger`, () => {
    let ledger: StorageLedger;
    let organization: string;
    beforeEach(async () => {
      ledger = await open();
      organization = `organization-${count++}`;
    });
    const note = (...workspaces: string[]) =>
      ledger.noteChanges(workspaces.map((workspace) => ({ workspace, organization })));
    const changed = () => ledger.page({ after: undefined, limit: 100, onlyChanged: true });

    it('lists workspaces in pages, and those that changed', async () => {
      await note('u/b/', 'u/a/', 'u/c/');
      const [first] = await changed();
      await ledger.setBytes({ ...first!, bytes: 5n });
      const page = (after?: string) => ledger.page({ after, limit: 2, onlyChanged: false });
      expect((await page()).map(({ workspace, bytes }) => [workspace, bytes])).toEqual([
        ['u/a/', 5n],
        ['u/b/', 0n],
      ]);
      expect((await page('u/b/')).map(({ workspace }) => workspace)).toEqual(['u/c/']);
      expect((await changed()).map(({ workspace }) => workspace)).toEqual(['u/b/', 'u/c/']);
    });

    it('keeps a change that was noted during a measurement', async () => {
      await note('u/a/');
      const [before] = await changed();
      await new Promise((resolve) => setTimeout(resolve, 2));
      await note('u/a/');
      await ledger.setBytes({ ...before!, bytes: 5n });
      const [after] = await changed();
      expect(after).toMatchObject({ workspace: 'u/a/', bytes: 5n, changedAt: expect.any(Date) });
    });

    it('adds up the bytes of each organization, the last one that used a workspace', async () => {
      await note('u/a/', 'u/b/');
      for (const workspace of await changed()) await ledger.setBytes({ ...workspace, bytes: 7n });
      expect((await ledger.totals()).get(organization)).toBe(14n);
      await ledger.noteChanges([{ workspace: 'u/b/', organization: `${organization}-other` }]);
      expect((await ledger.totals()).get(organization)).toBe(7n);
      expect((await ledger.totals()).get(`${organization}-other`)).toBe(7n);
    });
  });
}
