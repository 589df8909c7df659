import { beforeAll, describe, expect, it } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { App, Deploy } from '@homeport/apps/contracts';
import { NAVIGATION_HEADERS } from '@homeport/hosting/server/testing/visit';
import { signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { visit, visitHost } from './visit';

const LONG = 'body { color: black } '.repeat(200);
const spa = (version: string) => ({
  'index.html': `<title>${version}</title>`,
  [`main-${version}2345C.js`]: `console.log('${version}')`,
  'styles.css': LONG,
  'about.html': 'About',
  'docs/index.html': 'Docs',
});

describe('a deployed app', () => {
  let ada: DeployClient;
  let app: App;
  let first: Deploy;

  /** Waits until visitors see the text. */
  const shows = (url: string, text: string) => until(async () => (await visit(url)).body.includes(text));

  beforeAll(async () => {
    ada = new DeployClient((await signIn('ada')).token);
    app = await ada.register('Edge');
    const before = await visit(app.url, { headers: NAVIGATION_HEADERS });
    expect([before.status, before.body.includes(app.name)]).toEqual([404, true]);
    first = (await ada.deploy(app.id, spa('AAA'))).body;
    await shows(app.url, 'AAA');
  });

  it('is served with the headers that browsers and caches need', async () => {
    const page = await visit(app.url);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(page.headers['set-cookie']).toBeUndefined();
    const again = await visit(app.url, { headers: { 'if-none-match': page.headers.etag } });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, '', page.headers.etag]);
    const script = await visit(`${app.url}/main-AAA2345C.js`);
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('is compressed as the browser prefers', async () => {
    const url = `${app.url}/styles.css`;
    const plain = await visit(url);
    const brotli = await visit(url, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    const zipped = await visit(url, { headers: { 'accept-encoding': 'gzip' } });
    expect([plain, brotli, zipped].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect(plain.body).toBe(LONG);
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(LONG);
    expect(gunzipSync(zipped.bytes).toString()).toBe(LONG);
    for (const { headers } of [plain, brotli, zipped]) expect(headers.vary).toMatch(/accept-encoding/i);
    expect(new Set([plain, brotli, zipped].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('supports range requests', async () => {
    const part = await visit(`${app.url}/styles.css`, { headers: { range: 'bytes=5-9' } });
    expect([part.status, part.body, part.headers['content-range']]).toEqual([
      206,
      LONG.slice(5, 10),
      `bytes 5-9/${LONG.length}`,
    ]);
    expect((await visit(`${app.url}/styles.css`, { headers: { range: 'bytes=99999-' } })).status).toBe(416);
  });

  it('has clean addresses, and one page for all its routes', async () => {
    const of = async (path: string, headers = {}) => {
      const { status, body } = await visit(app.url + path, { headers });
      return [status, body];
    };
    expect(await of('/about')).toEqual([200, 'About']);
    expect(await of('/docs')).toEqual([200, 'Docs']);
    expect(await of('/docs/')).toEqual([200, 'Docs']);
    expect(await of('/orders/17', NAVIGATION_HEADERS)).toEqual([200, '<title>AAA</title>']);
    expect((await of('/orders/17.json'))[0]).toBe(404);
    expect((await of('/main-ZZZ2345C.js'))[0]).toBe(404);
    expect((await of('/_redirects'))[0]).toBe(404);
  });

  it('answers HEAD, and rejects other methods', async () => {
    const { status, headers, body } = await visit(app.url, { method: 'HEAD' });
    expect([status, body, headers['content-length']]).toEqual([200, '', '18']);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const refused = await visit(app.url, { method });
      expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  it('serves hashed files of other deploys to pages that are still open, after a deploy and a rollback', async () => {
    const { body: second } = await ada.deploy(app.id, spa('BBB'));
    await shows(app.url, 'BBB');
    expect((await visit(`${app.url}/main-AAA2345C.js`)).body).toBe("console.log('AAA')");
    expect((await ada.rollBack(app.id)).body.active_deploy_id).toBe(first.id);
    await shows(app.url, 'AAA');
    expect((await visit(`${app.url}/main-BBB2345C.js`)).body).toBe("console.log('BBB')");
    const preview = await visit(second.url);
    expect([preview.status, preview.body, preview.headers['x-robots-tag']]).toEqual([
      200,
      '<title>BBB</title>',
      'noindex',
    ]);
  });

  it('applies its own rules', async () => {
    const fresh = await ada.register('Rules');
    await ada.deploy(fresh.id, {
      'index.html': 'Start',
      'new.html': 'New',
      '404.html': 'Lost',
      _redirects: '/old /new\n/blog/* /posts/:splat 302\n/shown /new 200\n',
      _headers: '/*\n  X-Frame-Options: DENY\n  Set-Cookie: a=b\n',
    });
    await shows(fresh.url, 'Start');
    const old = await visit(`${fresh.url}/old`);
    expect([old.status, old.headers.location]).toEqual([301, '/new']);
    const blog = await visit(`${fresh.url}/blog/a/b`);
    expect([blog.status, blog.headers.location]).toEqual([302, '/posts/a/b']);
    expect((await visit(`${fresh.url}/shown`)).body).toBe('New');
    const lost = await visit(`${fresh.url}/nowhere`, { headers: NAVIGATION_HEADERS });
    expect([lost.status, lost.body]).toEqual([404, 'Lost']);
    const start = await visit(fresh.url);
    expect([start.headers['x-frame-options'], start.headers['set-cookie']]).toEqual(['DENY', undefined]);
  });

  it('is no longer served after its deletion, nor are its previews', async () => {
    const fresh = await ada.register('Gone');
    const { body: deploy } = await ada.deploy(fresh.id, spa('CCC'));
    await shows(fresh.url, 'CCC');
    await shows(deploy.url, 'CCC');
    await ada.delete(fresh.id);
    for (const url of [fresh.url, deploy.url]) await until(async () => (await visit(url)).status === 404);
  });

  it('serves nothing of a deleted deploy, and never discloses which deploy is live', async () => {
    const fresh = await ada.register('Withdrawn');
    const { body: withdrawn } = await ada.deploy(fresh.id, spa('AAA'));
    await shows(withdrawn.url, 'AAA');
    await ada.deploy(fresh.id, spa('BBB'));
    await shows(fresh.url, 'BBB');
    const hashed = `${fresh.url}/main-AAA2345C.js`;
    for (const url of [fresh.url, hashed, `${fresh.url}/docs`, `${fresh.url}/nowhere`]) {
      const { headers, body } = await visit(url, { headers: NAVIGATION_HEADERS });
      const told = JSON.stringify(headers) + body;
      expect([url, told.includes(withdrawn.id), headers['x-deploy-id']]).toEqual([url, false, undefined]);
    }
    expect((await visit(hashed)).body).toBe("console.log('AAA')");
    expect((await visit(withdrawn.url)).headers['x-deploy-id']).toBe(withdrawn.id);
    expect((await ada.remove(withdrawn.id)).status).toBe(204);
    for (const url of [withdrawn.url, hashed]) await until(async () => (await visit(url)).status === 404);
    expect((await visit(fresh.url)).body).toContain('BBB');
  });

  it('is not served at other hosts', async () => {
    const { hostname } = new URL(app.url);
    for (const host of [
      `x.${hostname}`,
      'nobody.apps.localhost',
      'apps.localhost',
      'example.com',
      `${hostname}.example.com`,
    ]) {
      const { status, body } = await visitHost(host, '/');
      expect([host, status, body.includes('AAA')]).toEqual([host, 404, false]);
    }
    for (const host of [hostname.toUpperCase(), `${hostname}.`]) {
      const { status, body } = await visitHost(host, '/');
      expect([host, status, body.includes('AAA')]).toEqual([host, 200, true]);
    }
  });
});
