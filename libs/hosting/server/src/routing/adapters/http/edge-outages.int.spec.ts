import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BlobKey,
  BlobStorageUnavailable,
  type Encoding,
  InMemoryBlobStore,
  type OpenOptions,
} from '@homeport/platform/server/blobs';
import { InterruptibleProxy } from '../../../testing/interruptible-proxy';
import { DOMAIN, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { NAVIGATION_HEADERS, visit } from '../../../testing/visit';

/** A store that a test can make unavailable, or fail in the middle of a body. */
class FailingBlobStore extends InMemoryBlobStore {
  isUnavailable = false;
  /** Number of bytes after which a body fails; undefined for no failure. */
  failsAfter: number | undefined;
  failsWith: Error = new BlobStorageUnavailable();
  readonly opened: Readable[] = [];

  override async open(key: BlobKey, encoding: Encoding, options: OpenOptions): Promise<Readable | undefined> {
    if (this.isUnavailable) throw new BlobStorageUnavailable();
    const body = await super.open(key, encoding, options);
    if (!body) return undefined;
    const limit = this.failsAfter;
    const slices = async function* (this: FailingBlobStore): AsyncGenerator<Buffer> {
      let sent = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        for (let at = 0; at < chunk.length; at += 16_384) {
          if (limit !== undefined && sent >= limit) throw this.failsWith;
          sent += 16_384;
          yield chunk.subarray(at, at + 16_384);
        }
      }
    };
    const read = Readable.from(slices.call(this), { objectMode: false });
    options.signal.addEventListener('abort', () => read.destroy(), { once: true });
    this.opened.push(read);
    return read;
  }

  override async ready(): Promise<void> {
    if (this.isUnavailable) throw new BlobStorageUnavailable();
  }
}

/** Larger than all buffers of a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const blobs = new FailingBlobStore();
const fixtures = new EdgeFixtures(blobs);
let fixture: EdgeFixture;
let proxy: InterruptibleProxy;

beforeAll(async () => {
  const interruptible = await InterruptibleProxy.to(await fixtures.prepare());
  proxy = interruptible.proxy;
  fixture = await fixtures.open(interruptible.url, { cacheBytes: 4 * 1024 * 1024 });
});

afterEach(async () => {
  blobs.isUnavailable = false;
  blobs.failsAfter = undefined;
  blobs.failsWith = new BlobStorageUnavailable();
  await proxy.restore();
});

afterAll(async () => {
  await fixtures.drop();
  await proxy.cut();
});

/** Resolves when readiness reports this state. Health checks notice a change within seconds. */
const reports = (expected: object) =>
  fixture.until('localhost', '/health/ready', ({ body }) => isDeepStrictEqual(JSON.parse(body), expected));

describe('while PostgreSQL is unavailable', () => {
  it.each(['cut', 'silence'] as const)(
    '(%s) cached sites are served, and changes appear after the recovery',
    async (how) => {
      const { app, host, get } = await fixture.opened({
        'index.html': 'one',
        'docs/index.html': 'docs',
        'other.txt': 'other',
      });
      for (const target of ['/', '/docs']) await get(target);
      await proxy[how]();
      for (let i = 0; i < 20; i++) {
        expect(await get('/')).toMatchObject({ status: 200, body: 'one' });
        expect(await get('/docs')).toMatchObject({ status: 200, body: 'docs' });
      }
      await fixture.sites.show(app, { 'index.html': 'two' });
      expect((await get('/')).body).toBe('one');
      const unknown = await fixture.at(`never-${how}.${DOMAIN}`, '/', { headers: NAVIGATION_HEADERS });
      expect(unknown.status).toBe(503);
      expect(unknown.headers['retry-after']).toBe('5');
      expect(unknown.body).toContain('This site is temporarily unavailable');
      expect((await get('/other.txt')).status).toBe(503);
      await reports({ status: 'degraded', checks: { postgres: 'down', storage: 'up' } });
      await proxy.restore();
      await fixture.until(host, '/', ({ body }) => body === 'two');
      await fixture.until(`never-${how}.${DOMAIN}`, '/', ({ status }) => status === 404);
    },
  );

  it('an instance listens only after its first connection', async () => {
    const { proxy: own, url } = await InterruptibleProxy.to(fixtures.url);
    await own.cut();
    const down = Promise.withResolvers<undefined>();
    let isListening = false;
    const opening = fixtures.open(url, { onDown: () => down.resolve(undefined) }).finally(() => (isListening = true));
    await down.promise;
    expect(isListening).toBe(false);
    await own.restore();
    const late = await opening;
    expect((await visit(late.port, { host: 'localhost', target: '/health/ready' })).status).toBe(200);
    expect((await visit(late.port, { host: `shop.${DOMAIN}` })).status).toBe(404);
    await own.cut();
  });
});

describe('while storage is unavailable', () => {
  it('cached files are served, and other requests get 503 with Retry-After', async () => {
    const { get } = await fixture.opened({
      'index.html': 'home',
      'other.txt': 'other',
      'empty.txt': '',
      'large.bin': LARGE,
    });
    const { headers } = await get('/');
    blobs.isUnavailable = true;
    expect((await get('/')).body).toBe('home');
    for (const target of ['/other.txt', '/large.bin']) {
      expect(await get(target)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    }
    expect((await get('/', { 'if-none-match': headers.etag as string })).status).toBe(304);
    expect((await get('/empty.txt')).status).toBe(200);
    await reports({ status: 'degraded', checks: { postgres: 'up', storage: 'down' } });
    blobs.isUnavailable = false;
    expect((await get('/other.txt')).body).toBe('other');
  });

  it('a partial file never looks complete', async () => {
    const { get } = await fixture.opened({ 'large.bin': LARGE, 'small.txt': Buffer.alloc(100_000, 'y') });
    blobs.failsAfter = 32_768;
    await expect(get('/large.bin')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await get('/small.txt')).status).toBe(503);
    blobs.failsAfter = undefined;
    expect((await get('/small.txt')).bytes).toHaveLength(100_000);
    expect((await get('/large.bin')).bytes.equals(LARGE)).toBe(true);
  });

  it('a failure in the middle of a body is logged', async () => {
    const { get } = await fixture.opened({ 'large.bin': LARGE });
    blobs.failsAfter = 50_000;
    blobs.failsWith = new Error('torn');
    await expect(get('/large.bin')).rejects.toMatchObject({ code: 'ECONNRESET' });
    while (!fixture.errors.includes(blobs.failsWith)) await new Promise(setImmediate);
  });
});

describe('visitors', () => {
  const begin = (host: string, target: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      httpGet({ port: fixture.port, host: '127.0.0.1', path: target, headers: { host }, agent: false }, resolve).on(
        'error',
        reject,
      );
    });

  it('who disconnect early end the read from storage, and are not logged as failures', async () => {
    const { host } = await fixture.opened({ 'large.bin': LARGE });
    const failures = fixture.errors.length;
    for (let i = 0; i < 20; i++) {
      const response = await begin(host, '/large.bin');
      const source = blobs.opened.at(-1) as Readable;
      const closed = source.closed ? undefined : once(source, 'close');
      response.destroy();
      await closed;
      expect(source.readableEnded).toBe(false);
    }
    expect(fixture.errors).toHaveLength(failures);
  });

  it('who do not read get no more than the buffers hold', async () => {
    const { host } = await fixture.opened({ 'large.bin': LARGE });
    const sockets = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = connect(fixture.port, '127.0.0.1');
        socket.pause();
        const opened = blobs.opened.length;
        socket.write(`GET /large.bin HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        while (blobs.opened.length === opened) await new Promise(setImmediate);
        return socket;
      }),
    );
    const stalled = blobs.opened.slice(-10);
    // No event reports that a stream has stalled, so wait as many turns as sending the whole file would take.
    for (let turn = 0; turn < 20_000; turn++) await new Promise(setImmediate);
    expect(stalled.filter((source) => source.readableEnded)).toEqual([]);
    for (const socket of sockets) socket.destroy();
    for (const source of stalled) if (!source.closed) await once(source, 'close');
  });

  it('who send requests during a shutdown are answered, and their connection is closed', async () => {
    const other = await fixtures.open(fixtures.url);
    const { host } = await fixture.opened({ 'index.html': 'home', 'large.bin': LARGE });
    const socket = connect(other.port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(socket, 'data');
    other.edge.beginDraining();
    expect((await visit(other.port, { host: 'localhost', target: '/health/ready' })).status).toBe(503);
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    const ended = once(socket, 'end');
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close/);
    await ended;
    expect(await other.edge.close(25_000)).toBe(true);
  });
});
