import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { call, signIn, url } from './homeport';

interface Listing {
  items: { key: string; size: number; etag: string }[];
  directories: string[];
  next_cursor: string | null;
}

describe('a person’s files', () => {
  let ada: string;
  let ben: string;
  let folder = '';

  beforeAll(async () => {
    [ada, ben] = (await Promise.all([signIn('ada'), signIn('ben')])).map(({ token }) => token) as [string, string];
    folder = `e2e-${process.pid}-${process.hrtime.bigint()}`;
  });

  const at = (path: string) => `/api/files/${folder}/${path}`;
  const put = (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
    call(at(path), { token: ada, method: 'PUT', body: typeof body === 'string' ? Buffer.from(body) : body, headers });
  const list = async (token: string, query = `prefix=${folder}/`) =>
    (await (await call(`/api/files?${query}`, { token })).json()) as Listing;

  it('writes, reads, lists and deletes a file', async () => {
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
    const gone = await call(at('threads/a.md'), { token: ada });
    expect([gone.status, await gone.json()]).toEqual([404, expect.objectContaining({ code: 'files.not-found' })]);
  });

  it('keeps two people of one organization apart', async () => {
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

  it('keeps every byte, whatever the type and the name', async () => {
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

  it('takes a body of unknown length', async () => {
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

  it('answers HEAD, ranges and conditions', async () => {
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

  it('lets a range belong to one version, and a condition name several', async () => {
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
    const gone = await call(at('versions.txt'), { token: ada, method: 'DELETE', headers: { 'if-match': '*' } });
    expect(gone.status).toBe(204);
    expect((await put('versions.txt', 'x', { 'if-match': '*' })).status).toBe(412);
    expect((await put('versions.txt', 'x', { 'if-none-match': other })).status).toBe(201);
  });

  it('tells one time for one version, wherever it is read', async () => {
    const written = (await (await put('times/a', 'x')).json()) as { modified_at: string };
    const [listed] = (await list(ada, `prefix=${folder}/times/`)).items as unknown as { modified_at: string }[];
    const head = await call(at('times/a'), { token: ada, method: 'HEAD' });
    expect(listed?.modified_at).toBe(written.modified_at);
    expect(new Date(head.headers.get('last-modified') as string).toISOString()).toBe(written.modified_at);
  });

  it('lists newest first and page by page', async () => {
    for (const name of ['p1', 'p2', 'p3']) await put(`pages/${name}`, name);
    const prefix = `prefix=${folder}/pages/`;
    const first = await list(ada, `${prefix}&limit=2`);
    const second = await list(ada, `${prefix}&limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ key }) => key.at(-1))).toEqual(['1', '2', '3']);
    expect(second.next_cursor).toBeNull();
    const foreign = await call(`/api/files?${prefix}&cursor=${first.next_cursor}`, { token: ben });
    expect([foreign.status, await foreign.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'files.invalid-cursor' }),
    ]);
    const newest = await list(ada, `${prefix}&sort=-modified_at&limit=1`);
    expect(newest.items.map(({ key }) => key)).toEqual([`${folder}/pages/p3`]);
    const listing = await call(`/api/files?${prefix}`, { token: ada });
    const again = await call(`/api/files?${prefix}`, {
      token: ada,
      headers: { 'if-none-match': listing.headers.get('etag') as string },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'delimiter=x',
    'sort=name',
    'unknown=1',
    'prefix=',
    'limit=1&limit=2',
    'cursor=nonsense',
    'prefix=../',
    'sort=-modified_at&delimiter=/',
  ])('refuses the listing ?%s', async (query) => {
    expect((await call(`/api/files?${query}`, { token: ada })).status).toBe(400);
  });

  it('refuses what is not the bytes of a file', async () => {
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

  /** Sends a request target exactly as it is written, which fetch would tidy up. */
  const rawRequest = (target: string, head = '') =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada}\r\nConnection: close\r\n${head}\r\n`,
      );
    });

  it.each([
    '/api/files/../x',
    '/api/files/a/../../x',
    '/api/files/%2e%2e/x',
    '/api/files/..%2f..%2fx',
    '/api/files//x',
    '/api/files/a//b',
    '/api/files/a%00',
    '/api/files/a\\b',
    '/api/files/%ff',
    '/api/files/a%2fb',
    `/api/files/${'x'.repeat(256)}`,
  ])('refuses the raw target %s', async (target) => {
    expect(await rawRequest(target)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"files\.invalid-path"/);
  });

  it.each(['/api/%66iles/abc', '/api/file%73/abc', '/%61pi/files/abc'])(
    'takes %s, another spelling of the route, for no file',
    async (target) => {
      expect(await rawRequest(target)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  it('reads an absolute target like any other', async () => {
    await put('absolute.txt', 'x');
    expect(await rawRequest(`http://localhost${at('absolute.txt')}`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*x$/);
  });

  it('refuses a file that is declared too large before its body is sent', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
      socket.write(
        `PUT ${at('huge')} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada}\r\n` +
          `Content-Length: 104857601\r\nExpect: 100-continue\r\n\r\n`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/"files\.too-large"/);
  });

  it('survives uploads that break off and shows nothing of them', async () => {
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.on('error', () => undefined);
        return new Promise<void>((resolve) => {
          socket.on('close', () => resolve());
          const headers = `Host: localhost\r\nAuthorization: Bearer ${ada}\r\nContent-Length: 100000\r\n`;
          socket.write(`PUT ${at(`aborted-${i}`)} HTTP/1.1\r\n${headers}\r\n${'x'.repeat(i * 1_000)}`, () =>
            socket.destroy(),
          );
        });
      }),
    );
    const { items } = await list(ada, `prefix=${folder}/aborted-`);
    expect(items).toEqual([]);
    expect((await call('/health/ready')).status).toBe(200);
  });
});
