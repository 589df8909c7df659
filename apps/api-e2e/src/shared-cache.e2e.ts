import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms, NGINX, type RunningProxy, startNginx } from '@homeport/dev-services';
import { ApiFixture } from './apps/api-fixture';
import { callAt } from './homeport';

const isInstalled = (await findPrograms(NGINX)) !== undefined;

/** A shared cache that stores by address every response that the API allows to store. */
const CACHE = 'proxy_cache_path cache keys_zone=shared:1m;';
const proxyTo = (url: string) => `
  location / {
    proxy_pass ${url};
    proxy_http_version 1.1;
    proxy_cache shared;
    proxy_cache_key $uri$is_args$args;
    proxy_cache_valid any 10m;
    add_header X-Cache $upstream_cache_status always;
  }`;

/** Uses a dedicated API, so that no other test changes a list between the two requests that are compared. */
(isInstalled ? describe : describe.skip)('behind nginx with a shared cache', () => {
  let fixture: ApiFixture;
  let url: string;
  let nginx: RunningProxy;
  let northwind: string;
  let globex: string;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    ({ url } = await fixture.api());
    nginx = await startNginx({ http: CACHE, server: proxyTo(url) });
    [{ token: northwind }, { token: globex }] = await Promise.all([
      fixture.member('northwind'),
      fixture.member('globex'),
    ]);
  });

  afterAll(async () => {
    await nginx?.close();
    await fixture?.close();
  });

  const viaCache = (path: string, token?: string) =>
    callAt(`http://127.0.0.1:${nginx.port}`, path, token === undefined ? {} : { token });

  it('stores responses that the API marks as public', async () => {
    await (await viaCache('/v1/pricing')).arrayBuffer();
    const again = await viaCache('/v1/pricing');
    expect([again.status, again.headers.get('x-cache')]).toEqual([200, 'HIT']);
  });

  it.each([
    '/api/apps',
    '/api/apps?limit=5',
    '/api/apps/none',
    '/api/none',
    '/api/hosting',
    '/api/subdomains/shop',
    '/api/files',
    '/api/files/none.txt',
    '/api/files?limit=0',
  ])('never returns the response of one organization to another: %s', async (path) => {
    for (const token of [northwind, undefined, globex, 'no.real.token', northwind]) {
      const through = await viaCache(path, token);
      const direct = await callAt(url, path, token === undefined ? {} : { token });
      expect(through.status).toBe(direct.status);
      expect(through.headers.get('x-cache')).toBe('MISS');
      const [answer, expected] = (await Promise.all([through.json(), direct.json()])) as { request_id?: string }[];
      expect({ ...answer, request_id: '' }).toEqual({ ...expected, request_id: '' });
    }
  });

  it('never returns the file of one person to another', async () => {
    const write = (token: string, body: string) =>
      callAt(url, '/api/files/shared-cache.txt', { method: 'PUT', token, body });
    await Promise.all([write(northwind, 'of Northwind'), write(globex, 'of Globex')]);
    const texts = [];
    for (const token of [northwind, globex, northwind])
      texts.push(await (await viaCache('/api/files/shared-cache.txt', token)).text());
    expect(texts).toEqual(['of Northwind', 'of Globex', 'of Northwind']);
  });
});
