import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
let fixture: EdgeFixture;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare());
});

afterAll(() => fixtures.drop());

const LONG = 'A text that is long enough to be worth its compression. '.repeat(40);

describe('the response for a file', () => {
  it('has the type, the length, the validator and the caching rules', async () => {
    const { get } = await fixture.opened({ 'index.html': 'home', 'main-ABCDEFGH.js': 'code' });
    const { headers } = await get('/');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '4',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-robots-tag']).toBeUndefined();
    expect(headers['x-deploy-id']).toBeUndefined();
    expect((await get('/main-ABCDEFGH.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('uses the preferred encoding, each with a distinct ETag', async () => {
    const { get } = await fixture.opened({
      'both.txt': { body: LONG, codings: ['br', 'gzip'] },
      'gzip.txt': { body: LONG, codings: ['gzip'] },
      'none.txt': LONG,
    });
    const tags = new Set<unknown>();
    for (const [accepted, coding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0.5, gzip', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['br;q=0, gzip;q=0', undefined],
      ['br;q=0, *', 'gzip'],
      ['GZIP', 'gzip'],
      ['*;q=0.5, br;q=0, gzip;q=0.1', undefined],
      ['deflate, *;q=0.1', 'br'],
      ['identity, *;q=0', undefined],
      ['deflate', undefined],
      ['', undefined],
    ] as const) {
      const { bytes, headers } = await get('/both.txt', { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding']]).toEqual([accepted, coding]);
      expect(headers.vary).toBe('Accept-Encoding');
      const plain = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
      expect(plain.toString()).toBe(LONG);
      tags.add(headers.etag);
      expect(
        await get('/both.txt', { 'accept-encoding': accepted, 'if-none-match': headers.etag as string }),
      ).toMatchObject({ status: 304, body: '' });
    }
    expect(tags.size).toBe(3);
    expect((await get('/gzip.txt', { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).toBe('gzip');
    const none = await get('/none.txt', { 'accept-encoding': 'br, gzip' });
    expect(none.headers['content-encoding']).toBeUndefined();
    expect(none.headers.vary).toBeUndefined();
  });

  it('is 304 without a body when the client has the current version', async () => {
    const { get } = await fixture.opened({ 'a.txt': { body: LONG, codings: ['br'] } });
    const { headers } = await get('/a.txt');
    const etag = headers.etag as string;
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*', `"a,b" , W/${etag}`]) {
      const answer = await get('/a.txt', { 'if-none-match': known });
      expect(answer).toMatchObject({ status: 304, body: '' });
      expect(answer.headers).toMatchObject({
        etag,
        vary: 'Accept-Encoding',
        'cache-control': 'public, max-age=0, must-revalidate',
      });
      expect(answer.headers['content-type']).toBeUndefined();
    }
    expect((await get('/a.txt', { 'if-none-match': etag, 'accept-encoding': 'br' })).status).toBe(200);
    expect((await get('/a.txt', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each(['bytes=0-3', 'bytes=4-', 'bytes=-5', 'bytes=2-999999999', 'Bytes=7-7'])(
    'sends %s of a file',
    async (range) => {
      const bytes = randomBytes(3 * 1024 * 1024);
      const { get } = await fixture.opened({ 'large.bin': bytes, 'small.bin': bytes.subarray(0, 2_000) });
      for (const [target, all] of [
        ['/large.bin', bytes],
        ['/small.bin', bytes.subarray(0, 2_000)],
        ['/small.bin', bytes.subarray(0, 2_000)],
      ] as const) {
        const [from, to] = {
          'bytes=0-3': [0, 4],
          'bytes=4-': [4, all.length],
          'bytes=-5': [all.length - 5, all.length],
          'bytes=2-999999999': [2, all.length],
        }[range] ?? [7, 8];
        const answer = await get(target, { range, 'accept-encoding': 'br' });
        expect(answer.status).toBe(206);
        expect(answer.headers['content-range']).toBe(`bytes ${from}-${Number(to) - 1}/${all.length}`);
        expect(answer.bytes.equals(all.subarray(from, to))).toBe(true);
        await get(target);
      }
    },
  );

  it('is the whole file for an unusable range, and 416 for a range after the end', async () => {
    const { get } = await fixture.opened({ 'a.txt': { body: LONG, codings: ['br'] }, 'empty.txt': '' });
    for (const range of ['bytes=0-1,4-5', 'bytes=5-2', 'bytes=a-b', 'lines=0-1', 'bytes=', 'bytes=-', 'bytes 0-1']) {
      expect(await get('/a.txt', { range })).toMatchObject({ status: 200, body: LONG });
    }
    for (const range of [`bytes=${LONG.length}-`, 'bytes=-0', 'bytes=99999999-']) {
      const answer = await get('/a.txt', { range });
      expect(answer).toMatchObject({ status: 416, body: '' });
      expect(answer.headers['content-range']).toBe(`bytes */${LONG.length}`);
    }
    const { headers } = await get('/a.txt');
    const etag = headers.etag as string;
    expect((await get('/a.txt', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get('/a.txt', { range: 'bytes=0-1', 'if-range': `W/${etag}` })).status).toBe(200);
    const other = await get('/a.txt', { range: 'bytes=0-1', 'if-range': '"x-br"', 'accept-encoding': 'br' });
    expect(other.headers['content-encoding']).toBe('br');
    expect((await get('/a.txt', { range: 'bytes=0-1', 'if-none-match': etag })).status).toBe(304);
    expect(await get('/empty.txt')).toMatchObject({ status: 200, body: '' });
    expect((await get('/empty.txt', { range: 'bytes=0-' })).status).toBe(416);
  });

  it('answers HEAD like GET, without a body', async () => {
    const { host, get } = await fixture.opened({
      'a.txt': { body: LONG, codings: ['br'] },
      'large.bin': randomBytes(2_000_000),
    });
    for (const target of ['/a.txt', '/large.bin', '/missing']) {
      for (const headers of [{}, { 'accept-encoding': 'br' }] as Record<string, string>[]) {
        const head = await fixture.at(host, target, { method: 'HEAD', headers });
        const { status, headers: full } = await get(target, headers);
        expect(head.bytes).toHaveLength(0);
        expect(head.status).toBe(status);
        expect({ ...head.headers, date: '' }).toEqual({ ...full, date: '' });
      }
    }
    // Range applies only to GET.
    const part = await fixture.at(host, '/a.txt', { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    expect(part).toMatchObject({ status: 200, headers: { 'content-length': String(LONG.length) } });
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('rejects %s', async (method) => {
    const { host } = await fixture.opened({ 'index.html': 'home' });
    const answer = await fixture.at(host, '/', { method, headers: { 'content-length': '0' } });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD');
  });
});
