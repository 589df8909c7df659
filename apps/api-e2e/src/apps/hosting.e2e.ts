import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hosting } from '@homeport/apps/contracts';
import { call, callAt, signIn } from '../homeport';
import { ApiFixture } from './api-fixture';

const FIVE = ['api', 'www', 'admin', 'app', 'dashboard'];

describe('the hosting settings', () => {
  it('are the same for every organization', async () => {
    for (const person of ['ada', 'hank']) {
      const response = await call('/api/hosting', { token: (await signIn(person)).token });
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect(response.headers.get('vary')).toMatch(/\bAuthorization\b/i);
      expect(await response.json()).toEqual({
        domain: 'apps.localhost',
        cname_target: 'edge.localhost',
        // The last one is the zone of DNS challenges.
        reserved_subdomains: [...FIVE, 'acme--challenges'],
        apps_per_organization: 1_000,
        deploy_limits: {
          archive_bytes: 104_857_600,
          unpacked_bytes: 524_288_000,
          files: 20_000,
          file_bytes: 52_428_800,
        },
        app_types: ['static', 'ssr'],
      });
    }
  });

  it('are returned only to members of an organization', async () => {
    expect((await call('/api/hosting')).status).toBe(401);
    const refused = await call('/api/hosting', { token: (await signIn('sam')).token });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'identity.organization-required' }),
    ]);
  });

  it('accept no parameters', async () => {
    const { token } = await signIn('ada');
    expect((await call('/api/hosting?x=1', { token })).status).toBe(400);
    const posted = await call('/api/hosting', { token, method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('configured hosting settings', () => {
  let fixture: ApiFixture;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
  });

  afterAll(() => fixture?.close());

  it('return the domain, the CNAME target, the limits and every reserved name', async () => {
    const { url } = await fixture.api({
      PLATFORM_DOMAIN: 'apps.localhost',
      ACME_ZONE: 'acme.apps.localhost',
      CDN_HOSTNAME: 'edge.apps.localhost',
      RESERVED_SUBDOMAINS: 'Status, intern, api',
      APPS_PER_ORGANIZATION: '2',
      DEPLOY_MAX_BYTES: '1000',
      DEPLOY_MAX_FILES: '7',
      RUNTIME: 'off',
    });
    const member = await fixture.member('northwind');
    const hosting = (await (await callAt(url, '/api/hosting', { token: member.token })).json()) as Hosting;
    expect(hosting).toEqual({
      domain: 'apps.localhost',
      cname_target: 'edge.apps.localhost',
      reserved_subdomains: [...FIVE, 'status', 'intern', 'edge', 'acme'],
      apps_per_organization: 2,
      deploy_limits: { archive_bytes: 1_000, unpacked_bytes: 524_288_000, files: 7, file_bytes: 52_428_800 },
      app_types: ['static'],
    });
    const ssr = await callAt(url, '/api/apps', {
      token: member.token,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Portal', type: 'ssr' }),
    });
    expect([ssr.status, await ssr.json()]).toEqual([409, expect.objectContaining({ code: 'apps.runtime-off' })]);
    for (const name of hosting.reserved_subdomains) {
      const { status, body } = await member.register(url, name);
      expect([name, status, body.code]).toEqual([name, 400, 'apps.subdomain-reserved']);
    }
  });
});
