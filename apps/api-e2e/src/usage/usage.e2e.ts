import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreatedApiToken, Scope } from '@homeport/identity/contracts';
import type { Budget, ChargeList, DailyUsage, ReportedUsage, UsageMonth } from '@homeport/usage/contracts';
import { ApiFixture } from '../apps/api-fixture';
import type { MemberClient } from '../apps/member-client';
import { callAt } from '../homeport';
import type { ApiProcess } from '../product-processes';
import { until } from '../suites';

const EVENT_BATCH = 'application/cloudevents-batch+json';

describe('usage', () => {
  let fixture: ApiFixture;
  let api: ApiProcess;
  let member: MemberClient;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    api = await fixture.api();
    member = await fixture.member(`northwind-${randomUUID()}`);
  });

  afterAll(() => fixture?.close());

  const send = (method: string, path: string, body?: object, more: { token?: string; type?: string } = {}) =>
    callAt(api.url, path, {
      token: more.token ?? member.token,
      method,
      ...(body && {
        headers: { 'content-type': more.type ?? 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  const read = async <T>(path: string, token = member.token): Promise<T> => {
    const response = await callAt(api.url, path, { token });
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as T;
  };
  const month = (token?: string) => read<UsageMonth>('/api/usage', token);
  const quantityOf = async (item: string, token?: string) =>
    (await month(token)).lines.find((line) => line.item === item)?.quantity ?? '0';
  const tokenWith = async (...scopes: Scope[]) => {
    const created = await send('POST', '/api/tokens', { name: randomUUID(), scopes });
    return ((await created.json()) as CreatedApiToken).token;
  };
  const event = (changes: object = {}, data: object = {}) => ({
    specversion: '1.0',
    id: randomUUID(),
    source: 'https://agents.example.com',
    type: 'homeport.usage',
    subject: member.organization,
    time: new Date().toISOString(),
    data: { item: 'agent-run', quantity: 1, ...data },
    ...changes,
  });
  const report = (events: object, token?: string, type = EVENT_BATCH) =>
    send('POST', '/api/usage/events', events, { ...(token !== undefined && { token }), type });

  it('counts the successful calls of the file API, for their organization only', async () => {
    const other = await fixture.member(`globex-${randomUUID()}`);
    const path = '/api/files/notes/day.md';
    const calls = [
      await callAt(api.url, path, { token: member.token, method: 'PUT', body: '# Day' }),
      await callAt(api.url, path, { token: member.token }),
      await callAt(api.url, '/api/files', { token: member.token }),
      await callAt(api.url, '/api/files/missing.md', { token: member.token }),
      await callAt(api.url, path, { token: member.token, method: 'DELETE' }),
    ];
    expect(calls.map(({ status }) => status)).toEqual([201, 200, 200, 404, 204]);
    await until(async () => (await quantityOf('gateway-call')) === '4');
    expect(await quantityOf('gateway-call', other.token)).toBe('0');
    const { items } = await read<DailyUsage>('/api/usage/daily?item=gateway-call');
    expect(items).toEqual([{ day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/), quantity: '4' }]);
  });

  it('shows the trial, the card and the statement whose prices apply', async () => {
    const { account, statement, lines, total_usd, projected_total_usd } = await month();
    const published = await callAt(api.url, `/v1/pricing/versions/${statement.version}`);
    const digest = await crypto.subtle.digest('SHA-256', await published.arrayBuffer());
    expect(statement.sha256).toBe(Buffer.from(digest).toString('hex'));
    expect(account).toMatchObject({ card: expect.any(String), trial: { cap_usd: '500' } });
    expect(lines.map(({ item }) => item)).toEqual(expect.arrayContaining(['gateway-call', 'storage', 'standard']));
    expect([total_usd, projected_total_usd]).toEqual(['0', '0']);
  });

  it('accepts reported events once, whole batches or none', async () => {
    const batch = [event({}, { quantity: 3 }), event({}, { quantity: '0.5' })];
    const reported = async (events: object) => {
      const response = await report(events);
      expect(response.status).toBe(202);
      return (await response.json()) as ReportedUsage;
    };
    expect(await reported(batch)).toEqual({ accepted: 2, duplicates: 0 });
    expect(await reported([...batch, event()])).toEqual({ accepted: 1, duplicates: 2 });
    const faulty = await report([event(), event({ time: '1990-01-01T00:00:00Z' }, { quantity: 1e40 })]);
    expect(faulty.status).toBe(400);
    expect(await faulty.json()).toMatchObject({
      code: 'usage.events-invalid',
      errors: [{ field: '[1].time' }, { field: '[1].data.quantity' }],
    });
    expect(await quantityOf('agent-run')).toBe('4.5');
  });

  it('accepts a full batch, and rejects larger ones and other media types', async () => {
    const full = Array.from({ length: 1_000 }, () => event({}, { item: 'tool-call' }));
    expect((await report(full)).status).toBe(202);
    expect((await report([...full, event()])).status).toBe(400);
    expect((await report([event()], undefined, 'application/json')).status).toBe(415);
    expect(await quantityOf('tool-call')).toBe('1000');
  });

  it('rejects events for another organization, and those that Homeport measures', async () => {
    for (const events of [
      [event({ subject: 'globex' })],
      [event({}, { item: 'gateway-call' })],
      [event({ source: 'urn:homeport:api:1' })],
      { not: 'a batch' },
      [],
    ]) {
      expect((await report(events)).status).toBe(400);
    }
  });

  it('requires the scope of the call', async () => {
    const [reads, writes, none] = [
      await tokenWith('usage:read'),
      await tokenWith('usage:write'),
      await tokenWith('apps:read'),
    ];
    expect((await report([event()], writes)).status).toBe(202);
    expect((await month(reads)).period).toMatch(/^\d{4}-\d{2}$/);
    for (const [path, token] of [
      ['/api/usage', writes],
      ['/api/charges', none],
      ['/api/budget', none],
      ['/api/usage/daily?item=storage', none],
    ] as const) {
      const response = await callAt(api.url, path, { token });
      expect([path, response.status]).toEqual([path, 403]);
    }
    expect((await report([event()], reads)).status).toBe(403);
    expect((await send('PUT', '/api/budget', { monthly_usd: 1, notify_at: [] }, { token: writes })).status).toBe(403);
    expect((await callAt(api.url, '/api/usage')).status).toBe(401);
  });

  it.each([
    '/api/usage?period=2026-13',
    '/api/usage?period=0000-01',
    '/api/usage?period=2999-01',
    '/api/usage?month=2026-11',
    '/api/usage?period=',
  ])('answers %s with 400', async (path) => {
    expect((await callAt(api.url, path, { token: member.token })).status).toBe(400);
  });

  it('keeps a budget', async () => {
    expect(await read<Budget>('/api/budget')).toEqual({ monthly_usd: null, notify_at: [50, 75, 100] });
    const set = (body: object) => send('PUT', '/api/budget', body);
    expect(await (await set({ monthly_usd: '250.5', notify_at: [100, 80] })).json()).toEqual({
      monthly_usd: '250.5',
      notify_at: [80, 100],
    });
    expect(await read<Budget>('/api/budget')).toEqual({ monthly_usd: '250.5', notify_at: [80, 100] });
    for (const body of [
      { monthly_usd: -1, notify_at: [] },
      { monthly_usd: 0, notify_at: [] },
      { monthly_usd: '1e3', notify_at: [] },
      { monthly_usd: 1.001, notify_at: [] },
      { monthly_usd: 5, notify_at: [50, 50] },
      { monthly_usd: 5, notify_at: [0] },
      { monthly_usd: 5, notify_at: ['50'] },
      { monthly_usd: 5 },
      { notify_at: [] },
    ]) {
      expect([body, (await set(body)).status]).toEqual([body, 400]);
    }
    expect(await (await set({ monthly_usd: null, notify_at: [] })).json()).toEqual({
      monthly_usd: null,
      notify_at: [],
    });
  });

  it('has no charges before the first month ends', async () => {
    expect(await read<ChargeList>('/api/charges')).toEqual({ items: [], next_cursor: null });
    for (const period of ['2026-10', 'now', '..%2f', '%00', '2026-10%00']) {
      const response = await callAt(api.url, `/api/charges/${period}`, { token: member.token });
      expect([period, response.status]).toEqual([period, 404]);
    }
  });
});
