import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { products } from '../homeport';
import { suiteSize } from '../suites';
import { type Listing, createTestTenant, type TestTenant } from './test-tenant';

describe.each(products)('reading and writing files, on $storage', ({ url }) => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await createTestTenant(url);
  });

  it('writes, reads, lists and deletes a file', async () => {
    const { ada, at, call, folder, list, put } = tenant;
    const created = await put('threads/a.md', '# Hello');
    expect(created.status).toBe(201);
    const entry = (await created.json()) as Listing['items'][number];
    expect(entry).toMatchObject({ key: `${folder}/threads/a.md`, size: 7, content_type: 'text/markdown' });
    expect(created.headers.get('etag')).toBe(entry.etag);
    expect(created.headers.get('location')).toBe(at('threads/a.md'));
    expect((await put('threads/a.md', '# Hello again')).status).toBe(200);

    const read = await call(at('threads/a.md'), { token: ada });
    expect(await read.text()).toBe('# Hello again');
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="a.md"; filename*=UTF-8\'\'a.md',
      'content-length': '13',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'text/markdown',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Authorization',
      'x-content-type-options': 'nosniff',
    });
    expect(read.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(read.headers.get('last-modified')).toMatch(/GMT$/);

    expect((await list(ada)).items.map(({ key }) => key)).toEqual([`${folder}/threads/a.md`]);
    const level = await list(ada, `prefix=${folder}/&delimiter=/`);
    expect(level).toMatchObject({ items: [], directories: [`${folder}/threads/`] });

    expect((await call(at('threads/a.md'), { token: ada, method: 'DELETE' })).status).toBe(204);
    expect((await call(at('threads/a.md'), { token: ada, method: 'DELETE' })).status).toBe(204);
    const deleted = await call(at('threads/a.md'), { token: ada });
    expect([deleted.status, await deleted.json()]).toEqual([404, expect.objectContaining({ code: 'files.not-found' })]);
  });

  it('separates the files of two members of one organization', async () => {
    const { ada, at, ben, call, list, put } = tenant;
    await put('private.md', 'ada');
    const foreign = await call(at('private.md'), { token: ben });
    const absent = await call(at('absent.md'), { token: ben });
    expect(foreign.status).toBe(404);
    const strip = async (response: Response) => ({ ...((await response.json()) as object), request_id: '' });
    expect(await strip(foreign)).toEqual(await strip(absent));
    expect((await list(ben)).items).toEqual([]);
    expect((await call(at('private.md'), { token: ben, method: 'DELETE' })).status).toBe(204);
    expect(await (await call(at('private.md'), { token: ada })).text()).toBe('ada');
  });

  it('preserves every byte, for any type and name', async () => {
    const { ada, at, call, folder, list, put } = tenant;
    const name = '100% (final) #2; emoji 🎉?.md';
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    expect((await put(encodeURIComponent(name), bytes, { 'content-type': 'text/x-odd' })).status).toBe(201);
    const read = await call(at(encodeURIComponent(name)), { token: ada });
    expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes);
    expect(read.headers.get('content-type')).toBe('text/x-odd');
    expect((await list(ada)).items.map(({ key }) => key)).toContain(`${folder}/${name}`);
    const invalidJson = '{"a": 1.0,, "b": 12345678901234567890';
    await put('broken.json', invalidJson, { 'content-type': 'application/json' });
    expect(await (await call(at('broken.json'), { token: ada })).text()).toBe(invalidJson);
  });

  it.each([
    'with spaces  and  more.md',
    'emoji 🎉👩‍👩‍👧.md',
    'composed \u00fc \u00e9.md',
    'decomposed u\u0308 e\u0301.md',
    '100%.md',
    '%2e%2e',
    '#hash?query=1&x=2;y.md',
    'a+b=c.md',
    'quotes \' and " and `.md',
    '(round) [square] {curly} <angle>.md',
    'back to front \u202e.md',
    'الملف.md',
    '文件.md',
    '~!@$^*|,.md',
    '...',
    '.hidden',
    'CON',
    '__proto__',
  ])('accepts the name %s', async (name) => {
    const { ada, at, call, folder, list, put } = tenant;
    const stored = name.normalize('NFC');
    const path = `names/${encodeURIComponent(name)}`;
    const written = await put(path, name);
    expect([written.status, ((await written.json()) as { key: string }).key]).toEqual([
      201,
      `${folder}/names/${stored}`,
    ]);
    for (const spelling of ['NFC', 'NFD'] as const) {
      const read = await call(at(`names/${encodeURIComponent(name.normalize(spelling))}`), { token: ada });
      expect([read.status, await read.text()]).toEqual([200, name]);
    }
    const prefix = encodeURIComponent(`${folder}/names/${name}`);
    const { items } = await list(ada, `prefix=${prefix}`);
    expect(items.map(({ key }) => key)).toEqual([`${folder}/names/${stored}`]);
    expect((await call(at(path), { token: ada, method: 'DELETE' })).status).toBe(204);
  });

  it('accepts a body of unknown length', async () => {
    const { ada, at, call, put } = tenant;
    const chunks = new ReadableStream({
      start(controller) {
        for (const chunk of ['one ', 'two ', 'three']) controller.enqueue(Buffer.from(chunk));
        controller.close();
      },
    });
    expect((await put('chunked.txt', chunks)).status).toBe(201);
    expect(await (await call(at('chunked.txt'), { token: ada })).text()).toBe('one two three');
    expect((await put('empty.txt', '')).status).toBe(201);
    expect(await (await call(at('empty.txt'), { token: ada })).text()).toBe('');
  });

  it.each([true, false])('accepts a body of several parts, with a declared size: %s', async (isDeclared) => {
    const { ada, at, call, put } = tenant;
    const bytes = randomBytes(suiteSize(9, 20) * 1024 * 1024);
    const body = isDeclared ? bytes : new Blob([bytes]).stream();
    expect((await put('large', body)).status).toBe(isDeclared ? 201 : 200);
    const read = await call(at('large'), { token: ada });
    expect(bytes.equals(Buffer.from(await read.arrayBuffer()))).toBe(true);
    const digest = createHash('sha256').update(bytes).digest('base64');
    const wrong = { 'content-digest': `sha-256=:${digest.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}:` };
    expect(
      (await put('large', isDeclared ? Buffer.alloc(bytes.length) : new Blob([bytes]).stream(), wrong)).status,
    ).toBe(400);
    const after = await call(at('large'), { token: ada, headers: { range: 'bytes=0-99' } });
    expect(bytes.subarray(0, 100).equals(Buffer.from(await after.arrayBuffer()))).toBe(true);
  });

  it.each([
    ['content-md5', 'XUFAKrxLKna5cZ2REBfFkg==', 201],
    ['content-md5', 'AAAAAAAAAAAAAAAAAAAAAA==', 400],
    ['content-md5', 'XUFAKrxLKna5cZ2REBfFkg', 400],
    ['content-digest', 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:', 201],
    ['repr-digest', 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:', 201],
    ['repr-digest', 'sha-256=:AAAAul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:', 400],
    ['content-digest', 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:, sha-512=:AAAA:', 400],
    ['content-digest', 'sha-256=LPJNul', 400],
    ['content-digest', 'sha-256', 400],
    ['content-digest', 'not a dictionary', 400],
    ['content-digest', 'crc32c=:AAAAAA==:, unixsum=1', 201],
  ])('checks %s: %s', async (name, value, status) => {
    const { ada, at, call, put } = tenant;
    const inOnePiece = 'hello';
    const inChunks = () =>
      new ReadableStream({
        start(controller) {
          for (const chunk of ['hel', 'lo']) controller.enqueue(Buffer.from(chunk));
          controller.close();
        },
      });
    for (const body of [inOnePiece, inChunks()]) {
      const answer = await put('digest', body, { [name]: value });
      expect(answer.status).toBe(status);
      if (status === 400) expect(await answer.json()).toMatchObject({ code: 'files.digest-mismatch' });
      const read = await call(at('digest'), { token: ada });
      expect(await read.text()).toMatch(status === 400 ? 'files.not-found' : 'hello');
      await call(at('digest'), { token: ada, method: 'DELETE' });
    }
  });

  it('rejects bodies that are not the bytes of a file', async () => {
    const { ada, at, call, put } = tenant;
    const form = new FormData();
    form.set('file', 'x');
    expect((await call(at('form'), { token: ada, method: 'PUT', body: form })).status).toBe(415);
    expect((await put('gzip', 'x', { 'content-encoding': 'gzip' })).status).toBe(415);
    const wrong = await put('digest', 'hello', { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' });
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'files.digest-mismatch' }),
    ]);
    expect((await call(at('digest'), { token: ada })).status).toBe(404);
  });
});
