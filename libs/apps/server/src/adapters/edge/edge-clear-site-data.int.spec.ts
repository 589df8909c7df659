import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EdgeFixture, EdgeFixtures } from '../../testing/sites/edge-fixture';
import { NAVIGATION_HEADERS } from '../../testing/sites/visit';
import { InMemoryBlobStore } from '../memory/in-memory-blob-store';

const CLEAR = { 'clear-site-data': '"cache", "storage"', 'cache-control': 'no-store' };
const WORKER = { 'service-worker': 'script', 'sec-fetch-mode': 'same-origin' };
const RETIREMENT = {
  status: 200,
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
    'service-worker-allowed': '/',
  },
  body: expect.stringContaining('registration.unregister()') as unknown,
};
const HOUR_MS = 3_600_000;

const scenes = new EdgeFixtures(new InMemoryBlobStore());
let scene: EdgeFixture;

beforeAll(async () => {
  scene = await scenes.open(await scenes.prepare());
});

afterAll(() => scenes.drop());

const FILES = { 'index.html': '<h1>New</h1>', 'sw.js': '// new', 'docs/index.html': 'Docs', 'app.css': 'a{}' };
const RULES = { redirects: [{ from: '/moved', to: '/docs/', status: 301 as const }], headers: [] };

describe('a name that another organization had before', () => {
  const takenOver = async () => {
    const site = await scene.opened(FILES, RULES);
    await scene.sites.clearDataUntil(site.app, new Date(Date.now() + HOUR_MS));
    return site;
  };
  const markOf = (headers: { 'set-cookie'?: string[] | undefined }) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';

  it.each(['/', '/docs', '/docs/', '/moved', '/nothing/here'])(
    'clears each browser once at a navigation to %s',
    async (target) => {
      const { get } = await takenOver();
      const first = await get(target, NAVIGATION_HEADERS);
      expect(first.headers).toMatchObject(CLEAR);
      const marked = { cookie: markOf(first.headers) };
      expect((await get(target, { ...NAVIGATION_HEADERS, ...marked })).headers).not.toHaveProperty('clear-site-data');
      expect((await get(target, NAVIGATION_HEADERS)).headers).toMatchObject(CLEAR);
    },
  );

  it('retires the worker of the former owner, and lets the new owner have one', async () => {
    const { get, open } = await takenOver();
    const marked = { ...WORKER, cookie: markOf((await open('/')).headers) };
    for (const [target, headers] of [
      ['/former-worker.js', WORKER],
      ['/former-worker.js', marked],
      ['/moved', marked],
      ['/sw.js', WORKER],
    ] as const) {
      expect(await get(target, headers)).toMatchObject(RETIREMENT);
    }
    const own = await get('/sw.js', marked);
    expect(own.body).toBe('// new');
    expect([own.status, own.headers]).toEqual([
      200,
      expect.not.objectContaining({ 'clear-site-data': CLEAR['clear-site-data'] }),
    ]);
  });

  it('serves everything else as ever', async () => {
    const { get } = await takenOver();
    await get('/', NAVIGATION_HEADERS);
    for (const target of ['/app.css', '/', '/nothing.png']) {
      const { headers } = await get(target);
      expect(headers).not.toHaveProperty('clear-site-data');
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('clears nothing when the time is over', async () => {
    const { get, app } = await scene.opened(FILES);
    await scene.sites.clearDataUntil(app, new Date(Date.now() - 1));
    expect((await get('/', NAVIGATION_HEADERS)).headers).not.toHaveProperty('clear-site-data');
  });

  it('clears before anything is deployed', async () => {
    const label = `empty-${process.pid}`;
    const app = await scene.sites.app(label);
    await scene.sites.clearDataUntil(app, new Date(Date.now() + HOUR_MS));
    const answer = await scene.at(`${label}.apps.localhost`, '/', { headers: NAVIGATION_HEADERS });
    expect([answer.status, answer.headers]).toEqual([404, expect.objectContaining(CLEAR)]);
  });
});

describe('other names', () => {
  it('are cleared once their app is deleted, without a mark', async () => {
    const { app, host, get } = await scene.opened(FILES);
    expect((await get('/', NAVIGATION_HEADERS)).headers).not.toHaveProperty('clear-site-data');
    await scene.sites.removeApp(app);
    await scene.until(host, '/', ({ status }) => status === 404);
    const answer = await get('/', NAVIGATION_HEADERS);
    expect(answer.headers).toMatchObject(CLEAR);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(await get('/sw.js', WORKER)).toMatchObject(RETIREMENT);
    expect((await get('/app.css')).headers).not.toHaveProperty('clear-site-data');
  });

  it('are left alone when nobody ever had them', async () => {
    const answer = await scene.at('nobody-ever.apps.localhost', '/', { headers: NAVIGATION_HEADERS });
    expect([answer.status, answer.headers]).toEqual([404, expect.not.objectContaining(CLEAR)]);
  });
});
