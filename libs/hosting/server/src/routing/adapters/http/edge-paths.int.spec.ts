import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BlobMissing } from '../../../static/application/blob-cache';
import { type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { exchangeRaw } from '../../../testing/visit';
import { RecordingBlobStore } from '@homeport/platform/server/testing';

const blobs = new RecordingBlobStore();
const fixtures = new EdgeFixtures(blobs);
let fixture: EdgeFixture;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare());
});

afterAll(() => fixtures.drop());

describe('path resolution', () => {
  it('prefers the file itself, then the page of that name, then the index page of that folder', async () => {
    const { get } = await fixture.opened({
      'index.html': 'home',
      a: 'file a',
      'a.html': 'page a',
      'b.html': 'page b',
      'b/index.html': 'folder b',
      'c/index.html': 'folder c',
      'deep/er/x.txt': 'deep',
      'with space/ü.txt': 'decoded',
    });
    const bodies = async (targets: readonly string[]) =>
      Promise.all(targets.map(async (target) => (await get(target)).body));
    expect(
      await bodies(['/', '/index.html', '/index', '/a', '/a.html', '/b', '/b/', '/c', '/c/', '/c/index.html']),
    ).toEqual(['home', 'home', 'home', 'file a', 'page a', 'page b', 'folder b', 'folder c', 'folder c', 'folder c']);
    expect(
      await bodies(['/deep/er/x.txt', '/deep/er/x.txt?v=1', '/with%20space/%C3%BC.txt', '/with%20space/u%CC%88.txt']),
    ).toEqual(['deep', 'deep', 'decoded', 'decoded']);
    expect((await get('/missing')).status).toBe(404);
  });

  it("redirects only navigations to a folder's page, so that its relative links work", async () => {
    const { get, open } = await fixture.opened({
      'docs/index.html': 'docs',
      'index.html': 'home',
      '\u00fc/index.html': 'umlaut',
    });
    const sent = await open('/docs?q=1&r=/x');
    expect(sent).toMatchObject({ status: 308, headers: { location: '/docs/?q=1&r=/x' }, body: '' });
    expect(sent.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(sent.headers.vary).toContain('Sec-Fetch-Mode');
    expect((await open('/%C3%BC')).headers.location).toBe('/%C3%BC/');
    const got = await get('/docs');
    expect(got).toMatchObject({ status: 200, body: 'docs' });
    expect(got.headers.vary).toContain('Sec-Fetch-Mode');
    expect((await open('/docs/')).body).toBe('docs');
    for (const target of ['//evil.example/', '//docs', '/docs//', '///']) {
      const answer = await open(target);
      expect(answer.headers.location ?? '/').not.toMatch(/^\/\//);
    }
  });

  it('serves the page of a single-page app for navigations to any address, and 404 for other requests', async () => {
    const { get, open } = await fixture.opened({ 'index.html': 'the app', 'main.js': 'code' });
    for (const target of ['/orders/17', '/a//b', '/view/notes.md', '/orders/']) {
      expect(await open(target)).toMatchObject({ status: 200, body: 'the app' });
    }
    expect((await open('/orders/17')).headers.vary).toContain('Sec-Fetch-Mode');
    expect((await get('/orders/17', { accept: 'text/html' })).body).toBe('the app');
    const others: Record<string, string>[] = [{}, { accept: '*/*' }, { 'sec-fetch-mode': 'cors', accept: 'text/html' }];
    for (const headers of others) {
      expect(await get('/missing.js', headers)).toMatchObject({ status: 404 });
      expect((await get('/orders/17', headers)).body).not.toBe('the app');
    }
    expect((await get('/missing.js', { accept: 'text/html' })).status).toBe(404);
  });

  it("serves the app's own 404 page for a missing path", async () => {
    const { get, open } = await fixture.opened({ 'index.html': 'home', '404.html': 'not here' });
    for (const answer of [await get('/missing.js'), await open('/nowhere')]) {
      expect(answer).toMatchObject({ status: 404, body: 'not here' });
      expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
      expect(answer.headers.etag).toBeUndefined();
    }
    expect((await get('/nowhere', { range: 'bytes=0-2' })).body).toBe('not here');
    expect((await get('/nowhere', { 'if-none-match': '*' })).status).toBe(404);
    expect((await get('/404.html')).status).toBe(200);
  });

  it('never serves the rule files', async () => {
    const { get } = await fixture.opened({
      'index.html': 'home',
      _redirects: 'secret',
      _headers: 'secret',
      'a/_headers': 'no rule',
    });
    for (const target of ['/_redirects', '/_headers', '/%5Fredirects', '/_headers?x']) {
      const answer = await get(target);
      expect(answer.status).toBe(404);
      expect(answer.body).not.toContain('secret');
    }
    expect((await get('/a/_headers')).body).toBe('no rule');
  });

  it.each([
    '/../x',
    '/a/../index.html',
    '/%2e%2e/x',
    '/.%2E/x',
    '/a%2fb',
    '/a%5Cb',
    '/a\\b',
    '/%00',
    '/%0a',
    '/%',
    '/%zz',
    '/%ff',
    '/%c0%ae',
    '/.',
    '/%7f',
  ])('rejects %s', async (target) => {
    const { host } = await fixture.opened({ 'index.html': 'home', 'a/b': 'file' });
    const answer = await exchangeRaw(
      fixture.port,
      `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('finds a hashed file of an earlier deploy for pages that are still open, but no file without a hash', async () => {
    const { app, get, host } = await fixture.opened({
      'index.html': 'one',
      'main-ABCDEFGH.js': 'old code',
      'plain.js': 'old plain',
    });
    await fixture.sites.show(app, { 'index.html': 'two', 'main-IJKLMNOP.js': 'new code' });
    await fixture.until(host, '/', ({ body }) => body === 'two');
    expect(await get('/main-ABCDEFGH.js')).toMatchObject({ status: 200, body: 'old code' });
    expect((await get('/main-ABCDEFGH.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/plain.js')).status).toBe(404);
  });

  it('finds a file of a deploy that was rolled back, also after an earlier 404', async () => {
    const { app, deploy, get, host } = await fixture.opened({ 'index.html': 'one' });
    expect((await get('/main-IJKLMNOP.js')).status).toBe(404);
    await fixture.sites.show(app, { 'index.html': 'two', 'main-IJKLMNOP.js': 'code' });
    await fixture.until(host, '/', ({ body }) => body === 'two');
    await fixture.sites.pointTo(app, deploy);
    await fixture.until(host, '/', ({ body }) => body === 'one');
    expect(await get('/main-IJKLMNOP.js')).toMatchObject({ status: 200, body: 'code' });
  });

  it('finds no file of an earlier deploy after it was archived and its bytes were removed', async () => {
    const { app, deploy, get, open, host } = await fixture.opened({
      'index.html': 'one',
      'main-ABCDEFGH.js': 'old code',
      'large-ABCDEFGH.wasm': Buffer.alloc(2 * 1024 * 1024),
    });
    const stored = blobs.stored.slice(-3);
    await fixture.sites.show(app, { 'index.html': 'two', '404.html': 'not here' });
    await fixture.until(host, '/', ({ body }) => body === 'two');
    expect((await fixture.at(host, '/main-ABCDEFGH.js', { method: 'HEAD' })).status).toBe(200);
    expect((await get('/large-ABCDEFGH.wasm')).status).toBe(200);
    await fixture.sites.archive(deploy);
    for (const { key } of stored) await blobs.remove(key);
    for (let i = 0; i < 2; i++) {
      expect(await get('/main-ABCDEFGH.js')).toMatchObject({ status: 404, body: 'not here' });
      expect(await open('/large-ABCDEFGH.wasm')).toMatchObject({ status: 404, body: 'not here' });
    }
    expect((await get('/large-ABCDEFGH.wasm', { range: 'bytes=0-9' })).status).toBe(404);
  });

  it('answers 503 when the bytes of a file are lost, and logs it', async () => {
    const { get } = await fixture.opened({ 'main-ABCDEFGH.js': 'code' });
    await blobs.remove(blobs.stored.at(-1)!.key);
    expect((await get('/main-ABCDEFGH.js')).status).toBe(503);
    expect((await get('/main-ABCDEFGH.js')).status).toBe(503);
    expect(fixture.errors).toContainEqual(expect.any(BlobMissing));
  });
});
