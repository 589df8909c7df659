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
  });
}
