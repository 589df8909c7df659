import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Domain, DomainList } from '@homeport/apps/contracts';
import { call, callJson, signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { createRecords, freshDomain, setOwnRecord } from './own-dns';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const [HOSTNAME_USD, BASE_USD] = [10, 50];

describe('own domains', () => {
  let token: string;
  let foreign: string;
  let app: App;

  beforeAll(async () => {
    const [first, second] = await Promise.all([signIn('ada'), signIn('hank')]);
    [token, foreign] = [first.token, second.token];
    app = await new DeployClient(token).register('Own domains');
  });

  const post = (body: Record<string, unknown>, caller = token) =>
    callJson('/api/domains', caller, 'POST', {
      kind: 'hostname',
      app_id: app.id,
      accept_price_usd: HOSTNAME_USD,
      ...body,
    });
  const add = async (body: Record<string, unknown>, caller = token): Promise<Domain> => {
    const response = await post(body, caller);
    expect(response.status).toBe(201);
    return (await response.json()) as Domain;
  };
  const base = (name: string, caller = token) =>
    add({ kind: 'base', name, app_id: undefined, accept_price_usd: BASE_USD }, caller);
  const get = async (id: string, caller = token) =>
    (await (await call(`/api/domains/${id}`, { token: caller })).json()) as Domain;
  const check = async (id: string) =>
    (await (await call(`/api/domains/${id}/check`, { token, method: 'POST' })).json()) as Domain;
  const remove = (id: string, caller = token) => call(`/api/domains/${id}`, { token: caller, method: 'DELETE' });
  const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code];
  const untilStatus = async (id: string, status: string, caller = token) =>
    until(async () => (await get(id, caller)).status === status);

  it('state the records to create, and become active when they exist', async () => {
    const name = `www.${freshDomain()}`;
    const domain = await add({ name });
    expect(domain).toMatchObject({
      kind: 'hostname',
      name,
      app_id: app.id,
      status: 'pending',
      ownership: 'pending',
      price_usd: HOSTNAME_USD,
    });
    const [ownership, routing] = domain.records;
    expect(ownership).toMatchObject({ type: 'TXT', name: `_homeport.${name}`, purpose: 'ownership', state: 'missing' });
    expect(ownership?.value).toMatch(/^homeport-domain=[0-9a-f]{32}$/);
    expect(routing).toMatchObject({ type: 'CNAME', name, purpose: 'routing' });
    await createRecords(domain.records);
    await untilStatus(domain.id, 'active');
    const active = await get(domain.id);
    expect(active).toMatchObject({ ownership: 'verified', routing: 'here' });
    expect(active.records.map(({ state }) => state)).toEqual(['found', 'found']);
    expect(active.records[0]?.seen).toHaveLength(1);
    expect(new Date(active.next_check_at!).getTime()).toBeGreaterThan(Date.now());
  });

  it('are listed for the organization and for an app', async () => {
    const domain = await add({ name: freshDomain() });
    const listed = async (query: string, caller = token) =>
      ((await (await call(`/api/domains${query}`, { token: caller })).json()) as DomainList).items.map(({ id }) => id);
    expect(await listed('')).toContain(domain.id);
    expect(await listed(`?app_id=${app.id}`)).toContain(domain.id);
    expect(await listed(`?app_id=${ABSENT}`)).toEqual([]);
    expect(await listed('', foreign)).not.toContain(domain.id);
  });

  it('name the likely mistake', async () => {
    const name = `www.${freshDomain()}`;
    const { id, records } = await add({ name });
    await setOwnRecord(`_homeport.${name}.${name.slice(4)}`, 'TXT', [records[0]!.value]);
    await setOwnRecord(name, 'CNAME', ['old-host.example']);
    // A check in the 5 seconds before answers for this one.
    await until(async () => (await check(id)).records[1]?.state === 'wrong');
    expect((await get(id)).records.map(({ state, hint }) => [state, hint])).toEqual([
      ['missing', expect.stringContaining('adds the domain to the name')],
      ['wrong', expect.stringContaining('leads to old-host.example')],
    ]);
  });

  it('are rejected when they cannot be owned, or the price is not accepted', async () => {
    expect(await codeOf(await post({ name: 'https://www.example.com/' }))).toEqual([400, 'apps.domain-invalid']);
    expect(await codeOf(await post({ name: 'github.io' }))).toEqual([400, 'apps.domain-public-suffix']);
    expect(await codeOf(await post({ name: app.hostname }))).toEqual([400, 'apps.domain-reserved']);
    const name = freshDomain();
    expect(await codeOf(await post({ name, accept_price_usd: 1 }))).toEqual([409, 'apps.price-changed']);
    expect(await codeOf(await post({ name, app_id: ABSENT }))).toEqual([404, 'apps.not-found']);
    expect(await codeOf(await post({ name, app_id: undefined }))).toEqual([400, 'platform.invalid-request']);
    expect(await codeOf(await post({ name, app_id: app.id }, foreign))).toEqual([404, 'apps.not-found']);
    expect(await codeOf(await post({ name, kind: 'base', accept_price_usd: 50 }))).toEqual([
      400,
      'platform.invalid-request',
    ]);
  });

  it('belong to one organization, with all names below', async () => {
    const name = freshDomain();
    const own = await base(name);
    // A pending claim blocks no other organization.
    const other = await base(name, foreign);
    await createRecords(own.records);
    await untilStatus(own.id, 'active');
    const body = { kind: 'base', app_id: undefined, accept_price_usd: BASE_USD };
    expect(await codeOf(await post({ ...body, name: `a.b.${name}` }, foreign))).toEqual([409, 'apps.domain-covered']);
    expect(await codeOf(await post({ ...body, name }, token))).toEqual([409, 'apps.domain-taken']);
    await remove(other.id, foreign);
    expect(await codeOf(await post({ ...body, name }, foreign))).toEqual([409, 'apps.domain-taken']);
    // The other organization proves the name while the proof of the first is missing.
    await setOwnRecord(`_homeport.${name}`, 'TXT', []);
    const again = await base(name, foreign);
    await createRecords(again.records);
    await untilStatus(again.id, 'active', foreign);
    expect((await call(`/api/domains/${own.id}`, { token })).status).toBe(404);
    await remove(again.id, foreign);
  });

  it('are primary, redirect and are removed', async () => {
    const domain = await add({ name: `www.${freshDomain()}` });
    const change = (body: unknown) => callJson(`/api/domains/${domain.id}`, token, 'PATCH', body);
    expect(await (await change({ is_primary: true })).json()).toMatchObject({ is_primary: true, redirect_to: null });
    expect(await codeOf(await change({ redirect_to: app.hostname }))).toEqual([400, 'platform.invalid-request']);
    expect(await (await change({ hsts: 'on' })).json()).toMatchObject({ hsts: 'on', is_primary: true });
    expect(await codeOf(await change({ hsts: 'always' }))).toEqual([400, 'platform.invalid-request']);
    const redirecting = await change({ is_primary: false, redirect_to: app.hostname });
    expect(await redirecting.json()).toMatchObject({ is_primary: false, redirect_to: app.hostname });
    expect(await codeOf(await change({ redirect_to: 'elsewhere.example' }))).toEqual([400, 'platform.invalid-request']);
    expect((await remove(domain.id, foreign)).status).toBe(404);
    expect((await remove(domain.id)).status).toBe(204);
    expect((await remove(domain.id)).status).toBe(404);
  });
});
