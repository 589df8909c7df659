import { PostgresAccountRepository } from '@homeport/organizations/server';
import type { Database } from '@homeport/platform/server/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

describe('the account of an organization', () => {
  let api: InProcessApi;
  let accounts: PostgresAccountRepository;

  beforeAll(async () => {
    const captured: Database[] = [];
    api = await startInProcessApi({}, (adapters) => {
      captured.push(adapters.database);
      return adapters;
    });
    accounts = new PostgresAccountRepository(captured[0] as Database);
  });

  afterAll(() => api?.stop());

  const call = async (claims: Record<string, string>): Promise<number> => {
    const headers = { authorization: `Bearer ${await api.issuer.token(claims)}` };
    return (await fetch(`${api.url}/api/apps`, { headers })).status;
  };

  it('is created by the first authorized call of a member, and by no other call', async () => {
    expect(await call({})).toBe(403);
    expect(await call({ org_id: 'first-call', iss: 'https://other.example' })).toBe(401);
    expect(await accounts.find('first-call')).toBeUndefined();
    expect(await call({ org_id: 'first-call' })).toBe(200);
    // The call does not wait for the account. The test's time limit applies.
    let account = await accounts.find('first-call');
    while (!account) account = await accounts.find('first-call');
    expect(await call({ org_id: 'first-call' })).toBe(200);
    expect(await accounts.find('first-call')).toEqual(account);
  });
});
