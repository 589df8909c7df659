import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryObjectStore, StorageUnavailable } from '@homeport/files/server';
import { unzipSync } from 'fflate';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/** Returns endless bodies, or bodies that fail, for some names. */
class FaultyStore extends InMemoryObjectStore {
  openBodies = 0;
  /** Bytes that were read from endless bodies. */
  readBytes = 0;

  override async get(...args: Parameters<InMemoryObjectStore['get']>): ReturnType<InMemoryObjectStore['get']> {
    const [key] = args;
    const found = await super.get(...args);
    if (!found || 'notModified' in found) return found;
    if (key.endsWith('/unavailable')) throw new StorageUnavailable();
    if (!/\/(endless|broken)$/.test(key)) return found;
    return { ...found, length: 2 ** 40, body: this.#body(key.endsWith('/broken')) };
  }

  #body(fails: boolean): Readable {
    this.openBodies += 1;
    let sent = 0;
    const count = (bytes: number): void => void (this.readBytes += bytes);
    const body = new Readable({
      read() {
        sent += CHUNK.length;
        count(CHUNK.length);
        if (fails && sent > 10 * CHUNK.length) this.destroy(new Error('storage failed'));
        else this.push(CHUNK);
      },
    });
    return body.once('close', () => (this.openBodies -= 1));
  }
}

const store = new FaultyStore();
let api: InProcessApi;
let token: string;

const call = async (method: string, path: string, more: { body?: string; type?: string; token?: string } = {}) =>
  fetch(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${more.token ?? token}`,
      ...(more.body !== undefined && { 'content-type': more.type ?? 'application/json' }),
    },
    ...(more.body !== undefined && { body: more.body }),
  });
const put = async (path: string) =>
  expect((await call('PUT', `/api/files/${path}`, { body: path, type: 'text/plain' })).status).toBeLessThan(300);
const request = (paths: unknown, as = token) =>
  call('POST', '/api/archives', { body: JSON.stringify({ paths }), token: as });
const linkTo = async (...paths: string[]): Promise<string> => {
  const answer = await request(paths);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { url: string }).url;
};
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise(setImmediate);
};

beforeAll(async () => {
  api = await startInProcessApi({}, (adapters) => ({ ...adapters, files: { ...adapters.files, objectStore: store } }));
  token = await api.issuer.token({ sub: 'archiver' });
  for (const name of ['good/a.md', 'good/sub/b.md', 'slow/endless', 'bad/broken', 'down/unavailable']) await put(name);
});
afterAll(() => api?.stop());
beforeEach(() => expect(store.openBodies).toBe(0));

describe('POST /api/archives', () => {
  it('returns a link that expires in five minutes', async () => {
    const answer = await request(['good/']);
    const body = (await answer.json()) as { url: string; expires_at: string };
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'private, no-store']);
    expect(body.url).toMatch(/^\/v1\/archives\/[\w.-]+$/);
    const seconds = (Date.parse(body.expires_at) - Date.now()) / 1_000;
    expect(Math.abs(seconds - 300)).toBeLessThan(60);
  });

  it.each([
    ['no paths', []],
    ['too many paths', Array.from({ length: 201 }, (_, at) => `${at}`)],
    ['paths that are not text', [1]],
    ['one path without a list', 'good/'],
  ])('rejects %s', async (_what, paths) => {
    expect(await codeOf(await request(paths))).toEqual([400, 'platform.invalid-request']);
  });

  it('rejects unknown fields, invalid paths and a link that is too long', async () => {
    const unknown = await call('POST', '/api/archives', { body: JSON.stringify({ paths: ['good/'], name: 'x' }) });
    expect(await codeOf(unknown)).toEqual([400, 'platform.invalid-request']);
    expect(await codeOf(await request(['../x']))).toEqual([400, 'files.invalid-path']);
    const random = Array.from({ length: 200 }, () => Array.from({ length: 4 }, () => crypto.randomUUID()).join(''));
    expect(await codeOf(await request(random))).toEqual([400, 'files.archive-link-too-long']);
  });

  it('does not find absent paths, and files of another person', async () => {
    expect(await codeOf(await request(['good/', 'absent/']))).toEqual([404, 'files.not-found']);
    const other = await api.issuer.token({ sub: 'somebody-else' });
    for (const path of ['good/', 'good/a.md', '/']) {
      expect(await codeOf(await request([path], other))).toEqual([404, 'files.not-found']);
    }
  });

  it('requires a person', async () => {
    expect((await fetch(`${api.url}/api/archives`, { method: 'POST' })).status).toBe(401);
  });
});

describe('GET /v1/archives/:ticket', () => {
  it('needs no token', async () => {
    const url = await linkTo('good/');
    const answer = await fetch(api.url + url);
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="good.zip"; filename*=UTF-8''good.zip`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      }),
    ]);
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    expect(Object.keys(files)).toEqual(['good/a.md', 'good/sub/b.md']);
    const head = await fetch(api.url + url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
  });

  it('does not find an altered ticket, or one of another use', async () => {
    const url = await linkTo('good/');
    for (const wrong of [`${url}x`, url.slice(0, -1), '/v1/archives/x', '/v1/archives/a.b.c']) {
      expect(await codeOf(await fetch(api.url + wrong))).toEqual([404, 'files.archive-link-expired']);
    }
  });

  it('reports a failure of storage before the first byte as a problem', async () => {
    const answer = await fetch(api.url + (await linkTo('down/')));
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([503, null]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('closes the connection when storage fails afterwards', async () => {
    const answer = await fetch(api.url + (await linkTo('bad/')));
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    await until(() => store.openBodies === 0);
  });

  it('reads from storage only as fast as the client, and stops when it disconnects', async () => {
    const url = await linkTo('slow/');
    store.readBytes = 0;
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
    socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await until(() => store.openBodies === 1);
    for (let unchanged = 0, before = -1; unchanged < 1_000; await new Promise(setImmediate)) {
      unchanged = before === store.readBytes ? unchanged + 1 : 0;
      before = store.readBytes;
    }
    expect(store.readBytes).toBeLessThan(64 * 1024 ** 2);
    socket.destroy();
    await until(() => store.openBodies === 0);
  });

  it('sends three archives of a person at once, and others in parallel', async () => {
    const url = await linkTo('slow/');
    const aborts = Array.from({ length: 3 }, () => new AbortController());
    const running = await Promise.all(aborts.map(({ signal }) => fetch(api.url + url, { signal })));
    expect(running.map(({ status }) => status)).toEqual([200, 200, 200]);
    const waiting = fetch(api.url + (await linkTo('good/')));
    const other = await api.issuer.token({ sub: 'other' });
    await call('PUT', '/api/files/mine', { body: 'mine', type: 'text/plain', token: other });
    const { url: others } = (await (await request(['mine'], other)).json()) as { url: string };
    expect((await fetch(api.url + others)).status).toBe(200);
    expect(store.openBodies).toBe(3);
    aborts[0]?.abort();
    expect((await waiting).status).toBe(200);
    for (const abort of aborts) abort.abort();
    await until(() => store.openBodies === 0);
  });
});
