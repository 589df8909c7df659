import { beforeAll, describe, expect, it } from '@jest/globals';
import { products } from '../homeport';
import { suiteSize } from '../suites';
import { createTestTenant, type TestTenant } from './test-tenant';

const MIB = 1024 * 1024;
/** Number of writers and bytes of each: bodies of one part and of several parts of 8 MiB. */
const RACES: readonly (readonly [writers: number, bytes: number])[] = [
  [16, 10],
  [suiteSize(3, 16), suiteSize(9, 17) * MIB],
];
/** Replacements of a file while it is read. */
const REPLACEMENTS = suiteSize(15, 40);

describe.each(products)('conditional requests and ranges, on $storage', ({ url }) => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await createTestTenant(url);
  });

  it('answers HEAD, range and conditional requests', async () => {
    const { ada, at, call, put } = tenant;
    const etag = (await put('range.txt', '0123456789')).headers.get('etag') as string;
    const head = await call(at('range.txt'), { token: ada, method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
    const part = await call(at('range.txt'), { token: ada, headers: { range: 'bytes=2-4' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
    const beyond = await call(at('range.txt'), { token: ada, headers: { range: 'bytes=10-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    const odd = await call(at('range.txt'), { token: ada, headers: { range: 'bytes=0-1,3-4' } });
    expect([odd.status, await odd.text()]).toEqual([200, '0123456789']);
    const known = await call(at('range.txt'), { token: ada, headers: { 'if-none-match': etag } });
    expect([known.status, known.headers.get('etag')]).toEqual([304, etag]);
    const stale = await put('range.txt', 'x', { 'if-match': '"00000000000000000000000000000000"' });
    expect([stale.status, stale.headers.get('etag')]).toEqual([412, etag]);
    expect((await put('range.txt', 'x', { 'if-none-match': '*' })).status).toBe(412);
    expect((await put('range.txt', 'y', { 'if-match': etag })).status).toBe(200);
    expect((await put('range.txt', 'x', { 'if-match': 'nonsense' })).status).toBe(400);
  });

  it.each(['a file', 'a listing'])('sends no length in a 304 response to HEAD of %s', async (what) => {
    const { ada, at, call, folder, put } = tenant;
    await put('known/a', '0123456789');
    const address = what === 'a file' ? at('known/a') : `/api/files?prefix=${folder}/known/`;
    const etag = (await call(address, { token: ada })).headers.get('etag') as string;
    const known = { token: ada, method: 'HEAD', headers: { 'if-none-match': etag } };
    const { status, headers } = await call(address, known);
    expect([status, headers.get('etag'), headers.get('content-length')]).toEqual([304, etag, null]);
  });

  it('applies a range to one version, and accepts several versions in a condition', async () => {
    const { ada, at, call, put } = tenant;
    const etag = (await put('versions.txt', '0123456789')).headers.get('etag') as string;
    const other = '"00000000000000000000000000000000"';
    const rangeOf = async (ifRange: string) => {
      const part = await call(at('versions.txt'), { token: ada, headers: { range: 'bytes=2-4', 'if-range': ifRange } });
      return [part.status, await part.text()];
    };
    const modified = (await call(at('versions.txt'), { token: ada, method: 'HEAD' })).headers.get('last-modified');
    expect(await rangeOf(etag)).toEqual([206, '234']);
    expect(await rangeOf(modified as string)).toEqual([206, '234']);
    expect(await rangeOf(other)).toEqual([200, '0123456789']);
    expect(await rangeOf(`W/${etag}`)).toEqual([200, '0123456789']);

    expect((await put('versions.txt', 'x', { 'if-match': `W/${etag}` })).status).toBe(412);
    expect((await put('versions.txt', 'x', { 'if-none-match': `${other}, ${etag}` })).status).toBe(412);
    const replaced = await put('versions.txt', 'new', { 'if-none-match': other });
    expect(replaced.status).toBe(200);
    const now = replaced.headers.get('etag') as string;
    expect((await put('versions.txt', 'newer', { 'if-match': `${other}, ${now}` })).status).toBe(200);
    const weak = await call(at('versions.txt'), { token: ada, headers: { 'if-match': `W/${now}` } });
    expect(weak.status).toBe(412);
    const deleted = await call(at('versions.txt'), { token: ada, method: 'DELETE', headers: { 'if-match': '*' } });
    expect(deleted.status).toBe(204);
    expect((await put('versions.txt', 'x', { 'if-match': '*' })).status).toBe(412);
    expect((await put('versions.txt', 'x', { 'if-none-match': other })).status).toBe(201);
  });

  it('returns the same modification time in every response for a version', async () => {
    const { ada, at, call, folder, list, put } = tenant;
    const written = (await (await put('times/a', 'x')).json()) as { modified_at: string };
    const [listed] = (await list(ada, `prefix=${folder}/times/`)).items;
    const head = await call(at('times/a'), { token: ada, method: 'HEAD' });
    expect(listed?.modified_at).toBe(written.modified_at);
    expect(new Date(head.headers.get('last-modified') as string).toISOString()).toBe(written.modified_at);
  });

  it.each(RACES)('lets one of %i concurrent conditional writes of %i bytes win', async (writers, size) => {
    const { ada, at, call, put } = tenant;
    const bodies = Array.from({ length: writers }, (_, i) => Buffer.alloc(size, i));
    const first = await Promise.all(bodies.map((body) => put(`race-${size}`, body, { 'if-none-match': '*' })));
    expect(first.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(writers - 1).fill(412)]);
    const etag = first.find(({ status }) => status === 201)?.headers.get('etag') as string;
    const second = await Promise.all(bodies.map((body) => put(`race-${size}`, body.fill(0x61), { 'if-match': etag })));
    // A later write gets 412, before or after its upload to storage.
    expect(second.filter(({ status }) => status === 200)).toHaveLength(1);
    const read = Buffer.from(await (await call(at(`race-${size}`), { token: ada })).arrayBuffer());
    expect(read.equals(Buffer.alloc(size, 0x61))).toBe(true);
  });

  it('answers 201 to exactly one of many concurrent writes of a new file', async () => {
    const { put } = tenant;
    let wasUnclear = false;
    // Ceph answers 500 to some writers of one object. The API answers 503 then, and the client sends the file again.
    const putUntilStored = async (text: string): Promise<number> => {
      const { status } = await put('made-once', text);
      if (status !== 503) return status;
      wasUnclear = true;
      return putUntilStored(text);
    };
    const statuses = await Promise.all(Array.from({ length: 16 }, (_, i) => putUntilStored(`${i}`)));
    const created = statuses.filter((status) => status === 201).length;
    expect(statuses.filter((status) => status !== 201)).toEqual(Array<number>(16 - created).fill(200));
    // The write that created the file may be one that was answered with 503.
    expect(created).toBe(wasUnclear ? Math.min(created, 1) : 1);
  });

  it('never returns a mix of two versions', async () => {
    const { ada, at, call, put } = tenant;
    const versions = ['a', 'b'].map((letter) => letter.repeat(300_000)) as [string, string];
    await put('mix', versions[0]);
    let isOver = false;
    const readers = Array.from({ length: 3 }, async () => {
      const seen = new Set<string>();
      while (!isOver) seen.add(await (await call(at('mix'), { token: ada })).text());
      return seen;
    });
    for (let i = 1; i <= REPLACEMENTS; i++) await put('mix', versions[i % 2] as string);
    isOver = true;
    for (const seen of await Promise.all(readers)) {
      expect([...seen].filter((text) => !versions.includes(text))).toEqual([]);
    }
  });
});
