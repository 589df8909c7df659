import { randomUUID } from 'node:crypto';
import type { ApiToken, CreatedApiToken, ExchangedToken } from '@homeport/identity/contracts';
import { TestIssuer } from '@homeport/identity/server/testing/test-issuer';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiFixture } from './apps/api-fixture';
import type { MemberClient } from './apps/member-client';
import { callAt } from './homeport';
import type { ApiProcess } from './product-processes';
import { expectWithin } from './suites';

const REVOCATION_LIMIT_MS = 1_000;
const PUBLIC_URL = 'http://localhost:3999';

describe('tokens on two instances', () => {
  let fixture: ApiFixture;
  let instances: readonly [ApiProcess, ApiProcess];
  let member: MemberClient;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    // One after the other, because both would run the migrations.
    instances = [await fixture.api({ PUBLIC_URL }), await fixture.api({ PUBLIC_URL })];
    member = await fixture.member('acme');
  });

  afterAll(() => fixture?.close());

  async function created<T>(path: string, body: object): Promise<T> {
    const response = await callAt(instances[0].url, path, {
      token: member.token,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as T;
  }

  const create = () => created<CreatedApiToken>('/api/tokens', { name: 'Both', scopes: ['apps:read'] });

  const statusAt = async ({ url }: ApiProcess, token: string): Promise<number> =>
    (await callAt(url, '/api/apps', { token })).status;

  async function expectRefusedSoon(token: string): Promise<void> {
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
    for (const duration of accepted) expectWithin(duration, REVOCATION_LIMIT_MS, 'refused');
  }

  it('work at once on both, and are refused on both soon after the revocation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, token } = await create();
      for (const each of instances) expect(await statusAt(each, token)).toBe(200);
      const revocation = await callAt(instances[0].url, `/api/tokens/${id}`, { token: member.token, method: 'DELETE' });
      expect(revocation.status).toBe(204);
      await expectRefusedSoon(token);
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

  describe('received by a pipeline', () => {
    let pipelines: TestIssuer;
    let app: string;

    beforeAll(async () => {
      pipelines = await TestIssuer.start();
      pipelines.serveDiscovery();
      app = (await created<{ id: string }>('/api/apps', { name: 'Pipeline shop' })).id;
    });

    afterAll(() => pipelines?.stop());

    const trust = () =>
      created<{ id: string }>(`/api/apps/${app}/trusts`, {
        issuer: pipelines.url,
        claims: { repository: 'acme/shop' },
        scopes: ['apps:read'],
      });

    const idToken = () =>
      pipelines.sign(pipelines.claims({ aud: PUBLIC_URL, repository: 'acme/shop', jti: randomUUID() }), { typ: 'JWT' });

    const exchange = ({ url }: ApiProcess, subject_token: string) =>
      callAt(url, '/auth/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
          subject_token,
          audience: app,
        }),
      });

    it('are issued once for each ID token, whichever instance it is sent to', async () => {
      await trust();
      for (const [first, second] of [instances, instances.toReversed() as [ApiProcess, ApiProcess]]) {
        const token = await idToken();
        const exchanged = await exchange(first, token);
        expect(exchanged.status).toBe(200);
        const { access_token } = (await exchanged.json()) as ExchangedToken;
        for (const each of [second, first]) {
          const replayed = await exchange(each, token);
          expect([replayed.status, await replayed.json()]).toEqual([
            400,
            { error: 'invalid_request', error_description: expect.stringContaining('already exchanged') },
          ]);
          expect(await statusAt(each, access_token)).toBe(200);
        }
      }
      const raced = await idToken();
      const statuses = await Promise.all(
        [...instances, ...instances].map(async (each) => (await exchange(each, raced)).status),
      );
      expect(statuses.toSorted()).toEqual([200, 400, 400, 400]);
    });

    it('end on both instances soon after their trust is deleted', async () => {
      const { id } = await trust();
      // The oldest trust that admits the token issues the access token.
      const list = await callAt(instances[1].url, `/api/apps/${app}/trusts`, { token: member.token });
      const trusts = ((await list.json()) as { items: { id: string }[] }).items;
      const { access_token } = (await (await exchange(instances[0], await idToken())).json()) as ExchangedToken;
      for (const each of instances) expect(await statusAt(each, access_token)).toBe(200);
      for (const each of [...trusts.map((other) => other.id), id]) {
        const path = `/api/apps/${app}/trusts/${each}`;
        await callAt(instances[1].url, path, { token: member.token, method: 'DELETE' });
      }
      await expectRefusedSoon(access_token);
    });
  });
});
