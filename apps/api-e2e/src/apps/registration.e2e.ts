import { beforeAll, describe, expect, it } from '@jest/globals';
import { Resolver } from 'node:dns/promises';
import { call, callJson, dnsPort, settings, signIn } from '../homeport';

interface App {
  id: string;
  subdomain: string;
  hostname: string;
  created_at: string;
}

const resolver = new Resolver();
resolver.setServers([`127.0.0.1:${dnsPort}`]);
const cnameOf = (name: string) =>
  resolver.resolveCname(name).then(
    ([target]) => target,
    (error: { code: string }) => error.code,
  );

let count = 0;
const freshName = () => `E2e Shop ${process.pid} ${count++}`;

describe('registering apps', () => {
  let ada: string;
  let hank: string;
  let sam: string;

  beforeAll(async () => {
    const people = await Promise.all(['ada', 'hank', 'sam'].map((person) => signIn(person)));
    [ada, hank, sam] = people.map(({ token }) => token) as [string, string, string];
  });

  const register = async (token: string, name: string) => {
    const response = await callJson('/api/apps', token, 'POST', { name });
    return { response, app: (await response.json()) as App };
  };

  it('creates a CNAME, and removes it with the app', async () => {
    const name = freshName();
    const { response, app } = await register(ada, name);
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`/api/apps/${app.id}`);
    const subdomain = name.toLowerCase().replaceAll(' ', '-');
    expect(app).toMatchObject({
      name,
      subdomain,
      hostname: `${subdomain}.apps.localhost`,
      url: `http://${subdomain}.apps.localhost:${settings['EDGE_PORT']}`,
      type: 'static',
      deploy_count: 0,
      dns_status: 'dns-active',
      active_deploy_id: null,
    });
    expect(app.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await cnameOf(app.hostname)).toBe('edge.localhost');

    const deletion = await call(`/api/apps/${app.id}`, { token: ada, method: 'DELETE' });
    expect(deletion.status).toBe(200);
    expect(await deletion.json()).toEqual({ id: app.id, deleted: true, dns: 'deleted', archived_deploys: 0 });
    expect(await cnameOf(app.hostname)).toBe('ENOTFOUND');
    expect((await call(`/api/apps/${app.id}`, { token: ada, method: 'DELETE' })).status).toBe(404);
  });

  it('keeps a released name closed to other organizations', async () => {
    const name = freshName();
    const { app } = await register(ada, name);
    await call(`/api/apps/${app.id}`, { token: ada, method: 'DELETE' });
    const candidate = `/api/subdomains/${app.subdomain}`;
    expect(await (await call(candidate, { token: hank })).json()).toMatchObject({ available: false, reason: 'taken' });
    const { response, app: refusal } = await register(hank, name);
    expect([response.status, refusal]).toEqual([409, expect.objectContaining({ code: 'apps.subdomain-taken' })]);
    expect(await (await call(candidate, { token: ada })).json()).toMatchObject({ available: true, reason: null });
    expect((await register(ada, name)).response.status).toBe(201);
  });

  it('gives a name to exactly one of twenty concurrent registrations', async () => {
    const name = freshName();
    const tries = Array.from({ length: 20 }, (_, i) => register(i % 2 ? ada : hank, name));
    const answers = (await Promise.all(tries)).map(({ response, app }) => [response.status, app] as const);
    expect(answers.filter(([status]) => status === 201)).toHaveLength(1);
    for (const [status, body] of answers) {
      if (status !== 201)
        expect([status, body]).toEqual([409, expect.objectContaining({ code: 'apps.subdomain-taken' })]);
    }
  });

  it.each([
    [{ name: 'ab' }, 400, 'apps.subdomain-invalid'],
    [{ name: 'xn--80ak6aa92e' }, 400, 'apps.subdomain-invalid'],
    [{ name: 'Müller' }, 400, 'apps.subdomain-invalid'],
    [{ name: ' Dashboard ' }, 400, 'apps.subdomain-reserved'],
    [{}, 400, 'platform.invalid-request'],
    [{ name: 5 }, 400, 'platform.invalid-request'],
    [{ name: null }, 400, 'platform.invalid-request'],
    [{ name: 'good-name', type: 'spa' }, 400, 'platform.invalid-request'],
    [{ name: 'good-name', type: null }, 400, 'platform.invalid-request'],
    [{ name: 'good-name', owner: 'me' }, 400, 'platform.invalid-request'],
    [[], 400, 'platform.invalid-request'],
    ['text', 400, 'platform.invalid-request'],
    [null, 400, 'platform.invalid-request'],
  ])('answers %j with %d %s', async (body, status, code) => {
    const response = await callJson('/api/apps', ada, 'POST', body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  it('accepts the type in any case', async () => {
    const response = await callJson('/api/apps', ada, 'POST', { name: freshName(), type: 'SSR' });
    expect(await response.json()).toMatchObject({ type: 'ssr' });
  });

  it('rejects bodies that are not JSON', async () => {
    const asText = await call('/api/apps', { token: ada, method: 'POST', body: 'name=x' });
    expect([asText.status, await asText.json()]).toEqual([
      415,
      expect.objectContaining({ code: 'platform.unsupported-media-type' }),
    ]);
    const json = { 'content-type': 'application/json' };
    const broken = await call('/api/apps', { token: ada, method: 'POST', body: '{"name":', headers: json });
    expect(broken.status).toBe(400);
    const huge = await call('/api/apps', { token: ada, method: 'POST', body: 'x'.repeat(2_000_000), headers: json });
    expect([huge.status, await huge.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'platform.payload-too-large' }),
    ]);
  });

  it('requires an organization', async () => {
    for (const response of [await call('/api/apps', { token: sam }), (await register(sam, freshName())).response]) {
      expect(response.status).toBe(403);
    }
    const refused = await call('/api/apps', { token: sam });
    expect(await refused.json()).toMatchObject({ code: 'identity.organization-required' });
  });

  it('checks an active record again on retry', async () => {
    const { app } = await register(ada, freshName());
    const retried = await call(`/api/apps/${app.id}/dns/retry`, { token: ada, method: 'POST' });
    expect([retried.status, await retried.json()]).toEqual([
      202,
      expect.objectContaining({ dns_status: 'dns-active' }),
    ]);
  });

  it.each(['nonsense', '00000000-0000-4000-8000-000000000000', '%00', '..%2f'])(
    'answers 404 for the id %s',
    async (id) => {
      const response = await call(`/api/apps/${id}`, { token: ada });
      expect([response.status, await response.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'apps.not-found' }),
      ]);
    },
  );
});
