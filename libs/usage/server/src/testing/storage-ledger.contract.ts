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

    it('adds workspaces that it does not have, as changed, and keeps the others', async () => {
      await note('u/b/');
      const [known] = await changed();
      await ledger.setBytes({ ...known!, bytes: 5n });
      expect(await ledger.missing(['u/a/', 'u/b/'])).toEqual(['u/a/']);
      const add = (...workspaces: string[]) =>
        ledger.add(workspaces.map((workspace) => ({ workspace, organization: `${organization}-former` })));
      await add('u/a/', 'u/b/');
      expect((await changed()).map(({ workspace }) => workspace)).toEqual(['u/a/']);
      expect((await ledger.totals()).get(organization)).toBe(5n);
      expect(await ledger.missing(['u/a/', 'u/b/'])).toEqual([]);
    });

    it('ignores a measurement when another one ended meanwhile', async () => {
      await note('u/a/');
      const [older] = await changed();
      await ledger.setBytes({ ...older!, bytes: 9n });
      const [newer] = await ledger.page({ after: undefined, limit: 1, onlyChanged: false });
      await ledger.setBytes({ ...older!, bytes: 3n });
      expect((await ledger.totals()).get(organization)).toBe(9n);
      await ledger.setBytes({ ...newer!, bytes: 4n });
      await ledger.setBytes({ ...newer!, bytes: 5n });
      expect((await ledger.totals()).get(organization)).toBe(4n);
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
