import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { ApiFixture } from '../apps/api-fixture';
import type { MemberClient } from '../apps/member-client';
import { callAt } from '../homeport';
import type { ApiProcess } from '../product-processes';
import { queryOnce } from '../reliability/query-once';
import { until } from '../suites';

const KEY = randomBytes(32);

interface Received {
  readonly id: string;
  readonly isSigned: boolean;
  readonly body: { readonly type: string; readonly data: { readonly percent: number } };
}

/** Several instances send at once, in any order. */
const byPercent = (notices: readonly Received[]) =>
  notices.toSorted((one, other) => one.body.data.percent - other.body.data.percent);

describe('notices of budgets', () => {
  let fresh: FreshDatabase;
  let fixture: ApiFixture;
  let receiver: Server;
  let status = 503;
  const received: Received[] = [];
  let apis: ApiProcess[] = [];
  let member: MemberClient;

  const startTwo = async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/budgets`;
    const env = { USAGE_NOTICES_URL: url, USAGE_NOTICES_KEYS: KEY.toString('base64') };
    apis = await Promise.all([fixture.api(env), fixture.api(env)]);
  };

  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers;
      const body = await text(request);
      const expected = `v1,${createHmac('sha256', KEY).update(`${id}.${time}.${body}`).digest('base64')}`;
      received.push({ id: String(id), isSigned: signature === expected, body: JSON.parse(body) });
      response.writeHead(status).end();
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    fresh = await freshDatabase();
    fixture = await ApiFixture.open(fresh.url);
    await fixture.embeddedDns();
    await startTwo();
    member = await fixture.member(`northwind-${randomUUID()}`);
  });
  afterAll(async () => {
    await fixture?.close();
    await fresh?.drop();
    receiver.closeAllConnections();
    await new Promise((done) => receiver.close(done));
  });

  const send = async (method: string, path: string, type: string, body: unknown) => {
    const [api] = apis as [ApiProcess];
    const headers = { 'content-type': type };
    const response = await callAt(api.url, path, { method, token: member.token, headers, body: JSON.stringify(body) });
    expect([path, response.ok]).toEqual([path, true]);
  };
  const unfinished = `select 1 from pgboss.job where name = 'usage.budget-notices' and state < 'completed'
    and start_after <= now()`;
  /** Runs the job on one of the instances, to its end. */
  const runJob = async () => {
    await queryOnce(
      fresh.url,
      `insert into pgboss.job (name) values ('usage.budget-notices'), ('usage.budget-notices')`,
    );
    await until(async () => (await queryOnce<object>(fresh.url, unfinished)).length === 0);
  };

  it('are sent for each reached percentage, again after a failure, and not twice', async () => {
    await send('PUT', '/api/budget', 'application/json', { monthly_usd: '20', notify_at: [50, 75, 100] });
    const event = {
      ...{ specversion: '1.0', id: randomUUID(), source: 'https://agents.example.com', type: 'homeport.usage' },
      ...{ subject: member.organization, time: new Date().toISOString() },
      data: { item: 'agent-run', quantity: 1_300 },
    };
    // In the paid time: the trial ended before this month.
    await queryOnce(
      fresh.url,
      `insert into organizations.accounts (organization, created_at)
       values ('${member.organization}', '2026-10-01T00:00:00Z')
       on conflict (organization) do update set created_at = excluded.created_at`,
    );
    await send('POST', '/api/usage/events', 'application/cloudevents-batch+json', [event]);
    await runJob();
    expect(byPercent(received)).toEqual([50, 75].map((percent) => expect.objectContaining(noticeOf(percent))));

    await Promise.all(apis.map((api) => api.kill()));
    await queryOnce(fresh.url, 'update usage.budget_notices set due_at = now()');
    status = 204;
    await startTwo();
    await runJob();
    await runJob();
    expect(received).toHaveLength(4);
    const [refused, accepted] = [received.slice(0, 2), received.slice(2)].map(byPercent);
    expect(accepted).toEqual(refused);
  });

  const noticeOf = (percent: number) => ({
    isSigned: true,
    body: {
      type: 'usage.budget-reached',
      timestamp: expect.any(String),
      data: {
        ...{ organization: member.organization, period: expect.stringMatching(/^\d{4}-\d\d$/), percent },
        ...{ budget_usd: '20', total_usd: '16' },
      },
    },
  });
});
