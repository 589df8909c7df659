import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { NAVIGATION_HEADERS } from '../../../testing/visit';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';

const CLEAR = { 'clear-site-data': '"cache", "storage"', 'cache-control': 'no-store' };
const WORKER = { 'service-worker': 'script', 'sec-fetch-mode': 'same-origin' };
const CLEANUP_WORKER = {
  status: 200,
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
    'service-worker-allowed': '/',
  },
  body: expect.stringContaining('registration.unregister()') as unknown,
};
const HOUR_MS = 3_600_000;

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
let fixture: EdgeFixture;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare());
});

afterAll(() => fixtures.drop());

const FILES = { 'index.html': '<h1>New</h1>', 'sw.js': '// new', 'docs/index.html': 'Docs', 'app.css': 'a{}' };
const RULES = { redirects: [{ from: '/moved', to: '/docs/', status: 301 as const }], headers: [] };

describe('a name that another organization had before', () => {
  const openTakenOver = async () => {
    const site = await fixture.opened(FILES, RULES);
    await fixture.sites.clearDataUntil(site.app, new Date(Date.now() + HOUR_MS));
    return site;
  };
  const cookieOf = (headers: { 'set-cookie'?: string[] | undefined }) =>
    headers['set-cookie']?.[0]?.split(';')[0] ?? '';

  it.each(['/', '/docs', '/docs/', '/moved', '/nothing/here'])(
    'clears each browser once at a navigation to %s',
    async (target) => {
      const { get } = await openTakenOver();
      const first = await get(target, NAVIGATION_HEADERS);
      expect(first.headers).toMatchObject(CLEAR);
      const withCookie = { cookie: cookieOf(first.headers) };
      expect((await get(target, { ...NAVIGATION_HEADERS, ...withCookie })).headers).not.toHaveProperty(
        'clear-site-data',
      );
      expect((await get(target, NAVIGATION_HEADERS)).headers).toMatchObject(CLEAR);
    },
  );

  it.each([
    ['of a service worker', { 'sec-fetch-dest': 'empty' }],
    ['that a service worker preloads', { 'sec-fetch-dest': 'document', 'service-worker-navigation-preload': 'true' }],
    ['of a frame', { 'sec-fetch-dest': 'iframe' }],
  ])('neither clears nor marks the browser at a navigation request %s', async (_, headers) => {
    const { get } = await openTakenOver();
    const answer = await get('/', { ...NAVIGATION_HEADERS, ...headers });
    expect(answer.headers).not.toHaveProperty('clear-site-data');
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('replaces the service worker of the former owner, and allows one of the new owner', async () => {
    const { get, open } = await openTakenOver();
    const withCookie = { ...WORKER, cookie: cookieOf((await open('/')).headers) };
    for (const [target, headers] of [
      ['/former-worker.js', WORKER],
      ['/former-worker.js', withCookie],
      ['/moved', withCookie],
      ['/sw.js', WORKER],
    ] as const) {
      expect(await get(target, headers)).toMatchObject(CLEANUP_WORKER);
    }
    const own = await get('/sw.js', withCookie);
    expect(own.body).toBe('// new');
    expect([own.status, own.headers]).toEqual([
      200,
      expect.not.objectContaining({ 'clear-site-data': CLEAR['clear-site-data'] }),
    ]);
  });

  it('serves all other requests unchanged', async () => {
    const { get } = await openTakenOver();
    await get('/', NAVIGATION_HEADERS);
    for (const target of ['/app.css', '/', '/nothing.png']) {
      const { headers } = await get(target);
      expect(headers).not.toHaveProperty('clear-site-data');
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('clears nothing after the deadline', async () => {
    const { get, app } = await fixture.opened(FILES);
    await fixture.sites.clearDataUntil(app, new Date(Date.now() - 1));
    expect((await get('/', NAVIGATION_HEADERS)).headers).not.toHaveProperty('clear-site-data');
  });

  it('clears data before the first deploy', async () => {
    const label = `empty-${process.pid}`;
    const app = await fixture.sites.app(label);
    await fixture.sites.clearDataUntil(app, new Date(Date.now() + HOUR_MS));
    const answer = await fixture.at(`${label}.apps.localhost`, '/', { headers: NAVIGATION_HEADERS });
    expect([answer.status, answer.headers]).toEqual([404, expect.objectContaining(CLEAR)]);
  });
});

describe('other names', () => {
  it('are cleared once their app is deleted, without a cookie', async () => {
    const { app, host, get } = await fixture.opened(FILES);
    expect((await get('/', NAVIGATION_HEADERS)).headers).not.toHaveProperty('clear-site-data');
    await fixture.sites.removeApp(app);
    await fixture.until(host, '/', ({ status }) => status === 404);
    const answer = await get('/', NAVIGATION_HEADERS);
    expect(answer.headers).toMatchObject(CLEAR);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(await get('/sw.js', WORKER)).toMatchObject(CLEANUP_WORKER);
    expect((await get('/app.css')).headers).not.toHaveProperty('clear-site-data');
  });

  it('are not cleared when they were never registered', async () => {
    const answer = await fixture.at('nobody-ever.apps.localhost', '/', { headers: NAVIGATION_HEADERS });
    expect([answer.status, answer.headers]).toEqual([404, expect.not.objectContaining(CLEAR)]);
  });
});
