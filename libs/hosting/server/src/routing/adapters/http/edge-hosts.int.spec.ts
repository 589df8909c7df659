import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActiveDeployNotDeletable } from '@homeport/apps/server/testing';
import { previewLabel } from '@homeport/hosting/contracts';
import { DOMAIN, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { exchangeRaw, NAVIGATION_HEADERS } from '../../../testing/visit';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
let fixture: EdgeFixture;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare());
});

afterAll(() => fixtures.drop());

describe('hosts', () => {
  it('match in any case, with any port and with a trailing dot', async () => {
    const { label } = await fixture.opened({ 'index.html': 'home' });
    for (const host of [
      `${label}.${DOMAIN}`,
      `${label.toUpperCase()}.Apps.LOCALHOST`,
      `${label}.${DOMAIN}.`,
      `${label}.${DOMAIN}:8080`,
      `${label}.${DOMAIN}.:80`,
      `${label}.${DOMAIN}:`,
    ]) {
      expect(await fixture.at(host)).toMatchObject({ status: 200, body: 'home' });
      expect(await fixture.at(host)).toMatchObject({ status: 200, body: 'home' });
    }
  });

  it('without a site get 404 and no content of other sites', async () => {
    const { label } = await fixture.opened({ 'index.html': 'home', '404.html': 'mine' });
    for (const host of [
      `nobody.${DOMAIN}`,
      `a.${label}.${DOMAIN}`,
      `${label}x.${DOMAIN}`,
      DOMAIN,
      'example.com',
      `${label}.${DOMAIN}.example.com`,
      `${label}${DOMAIN}`,
      'localhost',
      '[::1]:8080',
      '10.0.0.1',
      `xn--${label}.${DOMAIN}`,
      `pv--${'0'.repeat(32)}.${DOMAIN}`,
    ]) {
      const answer = await fixture.at(host, '/', { headers: NAVIGATION_HEADERS });
      expect([host, answer.status]).toEqual([host, 404]);
      expect(answer.body).toContain('There is no site at this address');
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    }
  });

  it.each([
    '',
    ' ',
    'a b',
    'x_y!',
    'a..b',
    '.',
    'a/b',
    'user@host',
    '\u00e9.apps.localhost',
    '[::1',
    `${'a'.repeat(64)}.${DOMAIN}`,
    'h:80:80',
    'h:x',
  ])('that are invalid are rejected: %j', async (host) => {
    const answer = await exchangeRaw(fixture.port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('that are missing or sent twice are rejected', async () => {
    const { host } = await fixture.opened({ 'index.html': 'home' });
    const twice = `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: other.${DOMAIN}\r\nConnection: close\r\n\r\n`;
    expect(await exchangeRaw(fixture.port, twice)).toMatch(/^HTTP\/1\.1 400 /);
    await fixture.at(host);
    expect(await exchangeRaw(fixture.port, twice)).toMatch(/^HTTP\/1\.1 400 /);
    const missing = await exchangeRaw(fixture.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    // Like all other error pages of the edge.
    expect(missing).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Content-Type-Options: nosniff\r\n/);
    const old = await exchangeRaw(fixture.port, 'GET / HTTP/1.0\r\n\r\n');
    expect(old).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('in an absolute target take precedence over the Host field', async () => {
    const { host } = await fixture.opened({ 'index.html': 'home' });
    const send = (target: string, named: string) =>
      exchangeRaw(fixture.port, `GET ${target} HTTP/1.1\r\nHost: ${named}\r\nConnection: close\r\n\r\n`);
    expect(await send(`http://${host}/`, `nobody.${DOMAIN}`)).toMatch(/^HTTP\/1\.1 200 [^]*home$/);
    expect(await send(`http://${host}?x`, `nobody.${DOMAIN}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send(`http://nobody.${DOMAIN}/`, host)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\x00\x01\x02\r\n\r\n',
    'GET  HTTP/1.1\r\n\r\n',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
  ])('keep working after an invalid request: %#', async (sent) => {
    expect(await exchangeRaw(fixture.port, sent)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await fixture.at(`nobody.${DOMAIN}`)).status).toBe(404);
  });

  it("of apps without a deploy show a page with the app's name", async () => {
    await fixture.sites.app('empty-shop', `<b>"Ada's" & Co</b>`);
    const answer = await fixture.at(`empty-shop.${DOMAIN}`, '/x', { headers: NAVIGATION_HEADERS });
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('Nothing is deployed to “&lt;b&gt;&quot;Ada&#39;s&quot; &amp; Co&lt;/b&gt;” yet');
    expect((await fixture.at(`empty-shop.${DOMAIN}`)).headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('of previews show one deploy permanently, and exclude search engines', async () => {
    const { app, deploy } = await fixture.opened({
      'index.html': 'one',
      'old-ABCDEFGH.js': 'old',
      'docs/index.html': 'docs',
    });
    const next = await fixture.sites.show(app, { 'index.html': 'two' });
    const preview = (id: string) => `${previewLabel(id)}.${DOMAIN}`;
    for (const [id, body] of [
      [deploy, 'one'],
      [next, 'two'],
    ] as const) {
      const answer = await fixture.at(preview(id));
      expect(answer).toMatchObject({ status: 200, body });
      expect(answer.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'x-deploy-id': id });
    }
    expect((await fixture.at(preview(deploy), '/docs', { headers: NAVIGATION_HEADERS })).headers['x-robots-tag']).toBe(
      'noindex',
    );
    expect((await fixture.at(preview(next), '/old-ABCDEFGH.js')).status).toBe(404);
    await fixture.sites.archive(deploy);
    await fixture.until(preview(deploy), '/', ({ status }) => status === 404);
  });

  it('outside the platform domain serve the health checks of the instance', async () => {
    const live = await fixture.at('localhost', '/health/live');
    expect(live).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    const ready = await fixture.at('10.0.0.1:8080', '/health/ready');
    expect(JSON.parse(ready.body)).toEqual({ status: 'ok', checks: { postgres: 'up', storage: 'up' } });
    const { host } = await fixture.opened({ 'index.html': 'home', 'health/live': 'the site' });
    expect((await fixture.at(host, '/health/live')).body).toBe('the site');
  });
});

describe('changes', () => {
  it('appear on the site: a deploy, a rollback, a first deploy, a removal', async () => {
    const { app, deploy, host } = await fixture.opened({ 'index.html': 'one' });
    expect((await fixture.at(host)).body).toBe('one');
    await fixture.sites.show(app, { 'index.html': 'two' });
    await fixture.until(host, '/', ({ body }) => body === 'two');
    await fixture.sites.activate(app, deploy);
    await fixture.until(host, '/', ({ body }) => body === 'one');
    await fixture.sites.removeApp(app);
    await fixture.until(host, '/', ({ status }) => status === 404);
    expect((await fixture.at(`later-shop.${DOMAIN}`)).status).toBe(404);
    const later = await fixture.sites.app('later-shop');
    await fixture.sites.show(later, { 'index.html': 'first' });
    await fixture.until(`later-shop.${DOMAIN}`, '/', ({ body }) => body === 'first');
  });

  it('appear on the site: the deletion of a deploy, at its preview and at hashed files that only it had', async () => {
    const old = { 'index.html': 'one', 'old-ABCDEFGH.js': 'withdrawn', 'both-ABCDEFGH.js': 'both' };
    const { app, deploy, host } = await fixture.opened(old);
    const next = await fixture.sites.show(app, { 'index.html': 'two', 'both-ABCDEFGH.js': 'both' });
    await fixture.until(host, '/', ({ body }) => body === 'two');
    const preview = `${previewLabel(deploy)}.${DOMAIN}`;
    const other = await fixtures.open(fixtures.url);
    for (const edge of [fixture, other]) {
      expect((await edge.at(preview)).body).toBe('one');
      expect((await edge.at(host, '/old-ABCDEFGH.js')).body).toBe('withdrawn');
    }
    await expect(fixture.sites.deleteDeploy(next)).rejects.toBeInstanceOf(ActiveDeployNotDeletable);
    await fixture.sites.deleteDeploy(deploy);
    for (const edge of [fixture, other]) {
      await edge.until(preview, '/', ({ status }) => status === 404);
      await edge.until(host, '/old-ABCDEFGH.js', ({ status }) => status === 404);
      expect((await edge.at(host, '/both-ABCDEFGH.js')).body).toBe('both');
      expect((await edge.at(host)).body).toBe('two');
    }
  });

  it('are atomic: a visitor who has seen a file of a deploy gets no file of an earlier one', async () => {
    const files = (n: number) => ({ 'index.html': `deploy ${n}`, 'a.txt': `deploy ${n}` });
    const { app, host } = await fixture.opened(files(0));
    let isOver = false;
    const read = async () => {
      let newest = 0;
      while (!isOver) {
        for (const target of ['/', '/a.txt']) {
          const { body } = await fixture.at(host, target);
          const seen = Number(/^deploy (\d+)$/.exec(body)?.[1]);
          expect(seen).toBeGreaterThanOrEqual(newest);
          newest = seen;
        }
      }
    };
    const readers = Promise.all([read(), read(), read()]);
    for (let n = 1; n <= 20; n++) await fixture.sites.show(app, files(n));
    await fixture.until(host, '/a.txt', ({ body }) => body === 'deploy 20');
    isOver = true;
    await readers;
  });
});
