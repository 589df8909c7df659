import type { ApiToken, CreatedApiToken } from '@homeport/identity/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiFixture } from './apps/api-fixture';
import type { MemberClient } from './apps/member-client';
import { callAt } from './homeport';
import type { ApiProcess } from './product-processes';

const REVOCATION_LIMIT_MS = 1_000;

describe('tokens on two instances', () => {
  let fixture: ApiFixture;
  let instances: readonly [ApiProcess, ApiProcess];
  let member: MemberClient;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    // One after the other, because both would run the migrations.
    instances = [await fixture.api(), await fixture.api()];
    member = await fixture.member('acme');
  });

  afterAll(() => fixture?.close());

  async function create(): Promise<CreatedApiToken> {
    const response = await callAt(instances[0].url, '/api/tokens', {
      token: member.token,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Both', scopes: ['apps:read'] }),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as CreatedApiToken;
  }

  const statusAt = async ({ url }: ApiProcess, token: string): Promise<number> =>
    (await callAt(url, '/api/apps', { token })).status;

  it('work at once on both, and are refused on both within one second after the revocation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, token } = await create();
      for (const each of instances) expect(await statusAt(each, token)).toBe(200);
      const revocation = await callAt(instances[0].url, `/api/tokens/${id}`, { token: member.token, method: 'DELETE' });
      expect(revocation.status).toBe(204);
      const revoked = performance.now();
      const accepted = await Promise.all(
        instances.map(async (each) => {
          let last = revoked;
          // A response that began within the limit may arrive after it on a busy machine.
          for (let began = performance.now(); (await statusAt(each, token)) === 200; began = performance.now())
            last = began;
          return last - revoked;
        }),
      );
      for (const duration of accepted) expect(duration).toBeLessThan(REVOCATION_LIMIT_MS);
    }
  });

  it('show on one instance that they were used on the other one', async () => {
    const { id, token } = await create();
    expect(await statusAt(instances[1], token)).toBe(200);
    let used: string | null | undefined = null;
    while (used === null) {
      const list = await callAt(instances[0].url, '/api/tokens', { token: member.token });
      const { items } = (await list.json()) as { items: ApiToken[] };
      used = items.find((each) => each.id === id)?.last_used_at;
    }
    expect(Date.parse(used ?? '')).not.toBeNaN();
  });
});
