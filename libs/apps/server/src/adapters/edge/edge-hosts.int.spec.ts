import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeployLive } from '../../domain/deploys/deploys.errors';
import { previewLabel } from '../../domain/sites/preview-label';
import { DOMAIN, type EdgeFixture, EdgeFixtures } from '../../testing/sites/edge-fixture';
import { exchangeRaw, NAVIGATION_HEADERS } from '../../testing/sites/visit';
import { InMemoryBlobStore } from '../memory/in-memory-blob-store';

const scenes = new EdgeFixtures(new InMemoryBlobStore());
let scene: EdgeFixture;

beforeAll(async () => {
  scene = await scenes.open(await scenes.prepare());
});

afterAll(() => scenes.drop());

describe('hosts', () => {
  it('are the same in any case, with any port and with a dot behind them', async () => {
    const { label } = await scene.opened({ 'index.html': 'home' });
    for (const host of [
      `${label}.${DOMAIN}`,
      `${label.toUpperCase()}.Apps.LOCALHOST`,
      `${label}.${DOMAIN}.`,
      `${label}.${DOMAIN}:8080`,
      `${label}.${DOMAIN}.:80`,
      `${label}.${DOMAIN}:`,
    ]) {
      expect(await scene.at(host)).toMatchObject({ status: 200, body: 'home' });
      expect(await scene.at(host)).toMatchObject({ status: 200, body: 'home' });
    }
  });

  it('that nobody has show nothing of anybody', async () => {
    const { label } = await scene.opened({ 'index.html': 'home', '404.html': 'mine' });
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
      const answer = await scene.at(host, '/', { headers: NAVIGATION_HEADERS });
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
  ])('that are none are refused: %j', async (host) => {
    const answer = await exchangeRaw(scene.port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('that are missing, or there twice, are refused', async () => {
    const { host } = await scene.opened({ 'index.html': 'home' });
    const twice = `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: other.${DOMAIN}\r\nConnection: close\r\n\r\n`;
    expect(await exchangeRaw(scene.port, twice)).toMatch(/^HTTP\/1\.1 400 /);
    await scene.at(host);
    expect(await exchangeRaw(scene.port, twice)).toMatch(/^HTTP\/1\.1 400 /);
    const missing = await exchangeRaw(scene.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    // Of ours, as all others.
    expect(missing).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Content-Type-Options: nosniff\r\n/);
    const old = await exchangeRaw(scene.port, 'GET / HTTP/1.0\r\n\r\n');
    expect(old).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('in the target count, and not those beside it', async () => {
    const { host } = await scene.opened({ 'index.html': 'home' });
    const ask = (target: string, named: string) =>
      exchangeRaw(scene.port, `GET ${target} HTTP/1.1\r\nHost: ${named}\r\nConnection: close\r\n\r\n`);
    expect(await ask(`http://${host}/`, `nobody.${DOMAIN}`)).toMatch(/^HTTP\/1\.1 200 [^]*home$/);
    expect(await ask(`http://${host}?x`, `nobody.${DOMAIN}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask(`http://nobody.${DOMAIN}/`, host)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\x00\x01\x02\r\n\r\n',
    'GET  HTTP/1.1\r\n\r\n',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
  ])('survive garbage: %#', async (sent) => {
    expect(await exchangeRaw(scene.port, sent)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await scene.at(`nobody.${DOMAIN}`)).status).toBe(404);
  });

  it('of apps without a deploy say so, by name', async () => {
    await scene.sites.app('empty-shop', `<b>"Ada's" & Co</b>`);
    const answer = await scene.at(`empty-shop.${DOMAIN}`, '/x', { headers: NAVIGATION_HEADERS });
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('Nothing is deployed to “&lt;b&gt;&quot;Ada&#39;s&quot; &amp; Co&lt;/b&gt;” yet');
    expect((await scene.at(`empty-shop.${DOMAIN}`)).headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('of previews show one deploy for ever, and to no search engine', async () => {
    const { app, deploy } = await scene.opened({
      'index.html': 'one',
      'old-ABCDEFGH.js': 'old',
      'docs/index.html': 'docs',
    });
    const next = await scene.sites.show(app, { 'index.html': 'two' });
    const preview = (id: string) => `${previewLabel(id)}.${DOMAIN}`;
    for (const [id, body] of [
      [deploy, 'one'],
      [next, 'two'],
    ] as const) {
      const answer = await scene.at(preview(id));
      expect(answer).toMatchObject({ status: 200, body });
      expect(answer.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'x-deploy-id': id });
    }
    expect((await scene.at(preview(deploy), '/docs', { headers: NAVIGATION_HEADERS })).headers['x-robots-tag']).toBe(
      'noindex',
    );
    expect((await scene.at(preview(next), '/old-ABCDEFGH.js')).status).toBe(404);
    await scene.sites.archive(deploy);
    await scene.until(preview(deploy), '/', ({ status }) => status === 404);
  });

  it('other than those of sites tell who looks after the instance how it is', async () => {
    const live = await scene.at('localhost', '/health/live');
    expect(live).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    const ready = await scene.at('10.0.0.1:8080', '/health/ready');
    expect(JSON.parse(ready.body)).toEqual({ status: 'ok', checks: { postgres: 'up', storage: 'up' } });
    const { host } = await scene.opened({ 'index.html': 'home', 'health/live': 'the site' });
    expect((await scene.at(host, '/health/live')).body).toBe('the site');
  });
});

describe('changes', () => {
  it('are seen: a deploy, a roll-back, a first deploy, a removal', async () => {
    const { app, deploy, host } = await scene.opened({ 'index.html': 'one' });
    expect((await scene.at(host)).body).toBe('one');
    await scene.sites.show(app, { 'index.html': 'two' });
    await scene.until(host, '/', ({ body }) => body === 'two');
    await scene.sites.activate(app, deploy);
    await scene.until(host, '/', ({ body }) => body === 'one');
    await scene.sites.removeApp(app);
    await scene.until(host, '/', ({ status }) => status === 404);
    expect((await scene.at(`later-shop.${DOMAIN}`)).status).toBe(404);
    const later = await scene.sites.app('later-shop');
    await scene.sites.show(later, { 'index.html': 'first' });
    await scene.until(`later-shop.${DOMAIN}`, '/', ({ body }) => body === 'first');
  });

  it('are seen: the deletion of a deploy, at its preview and at the hashed files that only it had', async () => {
    const old = { 'index.html': 'one', 'old-ABCDEFGH.js': 'withdrawn', 'both-ABCDEFGH.js': 'both' };
    const { app, deploy, host } = await scene.opened(old);
    const next = await scene.sites.show(app, { 'index.html': 'two', 'both-ABCDEFGH.js': 'both' });
    await scene.until(host, '/', ({ body }) => body === 'two');
    const preview = `${previewLabel(deploy)}.${DOMAIN}`;
    const other = await scenes.open(scenes.url);
    for (const edge of [scene, other]) {
      expect((await edge.at(preview)).body).toBe('one');
      expect((await edge.at(host, '/old-ABCDEFGH.js')).body).toBe('withdrawn');
    }
    await expect(scene.sites.deleteDeploy(next)).rejects.toBeInstanceOf(DeployLive);
    await scene.sites.deleteDeploy(deploy);
    for (const edge of [scene, other]) {
      await edge.until(preview, '/', ({ status }) => status === 404);
      await edge.until(host, '/old-ABCDEFGH.js', ({ status }) => status === 404);
      expect((await edge.at(host, '/both-ABCDEFGH.js')).body).toBe('both');
      expect((await edge.at(host)).body).toBe('two');
    }
  });

  it('are whole: a visitor who has seen a file of a deploy gets no file of an earlier one', async () => {
    const files = (n: number) => ({ 'index.html': `deploy ${n}`, 'a.txt': `deploy ${n}` });
    const { app, host } = await scene.opened(files(0));
    let isOver = false;
    const read = async () => {
      let newest = 0;
      while (!isOver) {
        for (const target of ['/', '/a.txt']) {
          const { body } = await scene.at(host, target);
          const seen = Number(/^deploy (\d+)$/.exec(body)?.[1]);
          expect(seen).toBeGreaterThanOrEqual(newest);
          newest = seen;
        }
      }
    };
    const readers = Promise.all([read(), read(), read()]);
    for (let n = 1; n <= 20; n++) await scene.sites.show(app, files(n));
    await scene.until(host, '/a.txt', ({ body }) => body === 'deploy 20');
    isOver = true;
    await readers;
  });
});
