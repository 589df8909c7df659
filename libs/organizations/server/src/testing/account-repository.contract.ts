import { describe, expect, it } from '@jest/globals';
import type { AccountRepository } from '../application/account-repository.port';

let count = 0;

/** The contract of every `AccountRepository` adapter. */
export function accountRepositoryContract(name: string, open: () => AccountRepository): void {
  const newOrganization = () => `organization-${process.pid}-${count++}`;

  describe(`${name} as an account repository`, () => {
    it('finds no account before it is added', async () => {
      expect(await open().find(newOrganization())).toBeUndefined();
    });

    it('keeps the first account when it is added again, also concurrently', async () => {
      const organization = newOrganization();
      const accounts = await Promise.all(Array.from({ length: 5 }, () => open().add(organization)));
      const stored = await open().find(organization);
      expect(stored).toEqual({ organization, createdAt: expect.any(Date) });
      for (const account of [...accounts, await open().add(organization)]) expect(account).toEqual(stored);
    });

    it('lists all accounts in pages, by the time of their creation', async () => {
      const before = new Date();
      const added = await Promise.all(Array.from({ length: 5 }, () => open().add(newOrganization())));
      const known = new Set(added.map(({ organization }) => organization));
      const seen: string[] = [];
      const createdBefore = new Date(Date.now() + 60_000);
      for (let after: string | undefined; ; after = seen.at(-1)) {
        const page = await open().list({ after, createdBefore, limit: 2 });
        if (page.length === 0) break;
        expect(page.length).toBeLessThanOrEqual(2);
        seen.push(...page.map(({ organization }) => organization));
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((organization) => known.has(organization))).toHaveLength(5);
      const earlier = await open().list({
        after: undefined,
        createdBefore: new Date(before.getTime() - 60_000),
        limit: 500,
      });
      expect(earlier.filter(({ organization }) => known.has(organization))).toEqual([]);
    });
  });
}
