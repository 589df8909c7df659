import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { InMemoryAccountRepository } from '../adapters/memory/in-memory-account-repository';
import { OpenAccount } from './open-account';

class CountingRepository extends InMemoryAccountRepository {
  calls = 0;
  failure: Error | undefined;

  override async add(organization: string) {
    this.calls += 1;
    if (this.failure) throw this.failure;
    return super.add(organization);
  }
}

describe('OpenAccount', () => {
  const defects: unknown[] = [];
  const openAccountIn = (accounts: CountingRepository) => new OpenAccount(accounts, (error) => defects.push(error));

  it('creates the account at the first call only', async () => {
    const accounts = new CountingRepository();
    const openAccount = openAccountIn(accounts);
    await openAccount.execute('northwind');
    await openAccount.execute('northwind');
    await openAccount.execute('globex');
    expect(accounts.calls).toBe(2);
    expect(await accounts.find('northwind')).toMatchObject({ organization: 'northwind' });
  });

  it('does not fail without the database, and tries again at the next call', async () => {
    const accounts = new CountingRepository();
    const openAccount = openAccountIn(accounts);
    accounts.failure = new DatabaseUnavailable();
    await openAccount.execute('northwind');
    accounts.failure = undefined;
    await openAccount.execute('northwind');
    expect(await accounts.find('northwind')).toBeDefined();
    expect(defects).toEqual([]);
  });

  it('reports other errors', async () => {
    const accounts = new CountingRepository();
    accounts.failure = new Error('permission denied');
    await openAccountIn(accounts).execute('northwind');
    expect(defects).toEqual([accounts.failure]);
  });
});
