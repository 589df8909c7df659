import { beforeEach, describe, expect, it } from '@jest/globals';
import { allItems, type ApiProblem, ConnectionFailed, downloadFile, Homeport, operations, uploadFile } from './index';
import type { HomeportOptions } from './homeport';

const PROBLEM = {
  type: 'about:blank',
  title: 'Not found',
  status: 404,
  detail: 'Your organization has no app with this id.',
  code: 'apps.not-found',
  request_id: 'r1',
  errors: [{ field: 'id', reason: 'is unknown' }],
};

type Reply = Response | Error;
const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
const busy = (headers: Record<string, string> = {}) =>
  json({ ...PROBLEM, status: 503, code: 'platform.unavailable' }, 503, headers);
const reset = () => new TypeError('fetch failed', { cause: new Error('socket hang up') });

let sent: { method: string; url: string; token: string | null; body: string }[];
let waits: number[];

beforeEach(() => {
  sent = [];
  waits = [];
});

/** A connection to a server that gives these replies in order. */
function connect(replies: readonly Reply[], options: Partial<HomeportOptions> = {}): Homeport {
  const queue = [...replies];
  return new Homeport({
    baseUrl: 'https://homeport.example/',
    token: 't1',
    retries: { wait: async (milliseconds) => void waits.push(milliseconds) },
    fetch: async (request) => {
      const { method, url, headers } = request;
      sent.push({ method, url, token: headers.get('authorization'), body: await request.text() });
      const reply = queue.shift() ?? new Error('unexpected request');
      if (reply instanceof Error) throw reply;
      return reply;
    },
    ...options,
  });
}

const register = (homeport: Homeport, headers = {}) =>
  operations.registerApp({ client: homeport.client, body: { name: 'Shop' }, headers });
const list = (homeport: Homeport) => operations.listApps({ client: homeport.client });

describe('a call', () => {
  it('sends the token and returns the body', async () => {
    expect(await register(connect([json({ id: 'a1' }, 201)]))).toEqual({ id: 'a1' });
    const url = 'https://homeport.example/api/apps';
    expect(sent).toEqual([{ method: 'POST', url, token: 'Bearer t1', body: '{"name":"Shop"}' }]);
  });

  it('is rejected without a repeat by the inspection of its response', async () => {
    const inspect = () => {
      throw new Error('not ours');
    };
    await expect(list(connect([json({}), json({})], { inspect }))).rejects.toThrow('not ours');
    expect(sent).toHaveLength(1);
  });

  it('encodes the slash of a branch', async () => {
    const homeport = connect([new Response(null, { status: 204 })]);
    await operations.releaseBranchAlias({ client: homeport.client, path: { id: 'a1', branch: 'feature/new shop' } });
    expect(sent[0]?.url).toBe('https://homeport.example/api/apps/a1/aliases/feature%2Fnew%20shop');
  });

  it('keeps the slashes of a file path', async () => {
    const homeport = connect([new Response(null, { status: 204 })]);
    await operations.deleteFile({ client: homeport.client, path: { path: 'a b/ü#.txt' } });
    expect(sent[0]?.url).toBe('https://homeport.example/api/files/a%20b/%C3%BC%23.txt');
  });

  it('throws a problem with its fields', async () => {
    const problem = await list(connect([json(PROBLEM, 404)])).catch((error: unknown) => error as ApiProblem);
    expect(problem).toMatchObject({
      name: 'ApiProblem',
      code: 'apps.not-found',
      status: 404,
      detail: 'Your organization has no app with this id.',
      request_id: 'r1',
      errors: PROBLEM.errors,
      message: 'Not found: Your organization has no app with this id.',
    });
  });

  it('throws a problem for an answer that is not one', async () => {
    const page = new Response('<h1>Bad gateway</h1>', { status: 403, headers: { 'x-request-id': 'r2' } });
    await expect(list(connect([page]))).rejects.toMatchObject({ code: 'http.403', status: 403, request_id: 'r2' });
  });

  it('names the reason when no response arrives', async () => {
    const homeport = connect([reset(), reset(), reset(), reset()]);
    await expect(list(homeport)).rejects.toThrow('No response from https://homeport.example: socket hang up');
    expect(sent).toHaveLength(4);
  });

  it('ends at once when it is aborted', async () => {
    const abort = new AbortController();
    abort.abort(new Error('stopped'));
    const homeport = connect([reset()]);
    await expect(operations.listApps({ client: homeport.client, signal: abort.signal })).rejects.toThrow('stopped');
    expect(sent.length).toBeLessThanOrEqual(1);
  });
});

describe('the signal of a connection', () => {
  it('aborts a request, and ends its repeats', async () => {
    const abort = new AbortController();
    const fetch = async (request: Request) => {
      abort.abort(new Error('stopped'));
      request.signal.throwIfAborted();
      return busy();
    };
    const homeport = connect([], { signal: abort.signal, fetch });
    await expect(list(homeport)).rejects.toThrow('stopped');
    await expect(uploadFile(homeport, 'a.txt', 'text')).rejects.toThrow('stopped');
  });
});

describe('a retry', () => {
  it('follows an idempotent method, and waits as long as the server asks', async () => {
    const homeport = connect([busy({ 'retry-after': '7' }), reset(), json({ items: [], next_cursor: null })]);
    expect(await list(homeport)).toEqual({ items: [], next_cursor: null });
    expect(waits).toEqual([7_000, expect.any(Number)]);
    expect(waits[1]).toBeLessThan(2_000);
  });

  it('needs an idempotency key for other methods', async () => {
    await expect(register(connect([busy(), json({ id: 'a1' })]))).rejects.toMatchObject({ status: 503 });
    await expect(register(connect([reset(), json({ id: 'a1' })]))).rejects.toBeInstanceOf(ConnectionFailed);
    expect(await register(connect([reset(), json({ id: 'a1' })]), { 'Idempotency-Key': 'k1' })).toEqual({ id: 'a1' });
    expect(sent.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => '{"name":"Shop"}'));
  });

  it('follows any method that exceeded a rate limit, because nothing was processed', async () => {
    const limited = json({ ...PROBLEM, status: 429, code: 'platform.rate-limited' }, 429, { 'retry-after': '9' });
    expect(await register(connect([limited, json({ id: 'a1' })]))).toEqual({ id: 'a1' });
    expect(waits).toEqual([9_000]);
  });

  it('follows an operation that the caller declares repeatable', async () => {
    const replies = [reset(), json({ ok: true })];
    const response = await connect(replies).send({ method: 'POST', path: '/api/x', isRepeatable: true });
    expect([await response.json(), sent.length]).toEqual([{ ok: true }, 2]);
  });

  it('does not follow when the server asks for a longer wait than the limit', async () => {
    await expect(list(connect([busy({ 'retry-after': '31' })]))).rejects.toMatchObject({ status: 503 });
    expect(waits).toEqual([]);
  });

  it('repeats a conditional write only when the server rejected it', async () => {
    const write = (replies: Reply[]) => uploadFile(connect(replies), 'a.txt', 'text', { ifNoneMatch: '*' });
    await expect(write([reset(), json({})])).rejects.toBeInstanceOf(ConnectionFailed);
    await expect(write([busy(), json({ key: 'a.txt' })])).resolves.toEqual({ key: 'a.txt' });
    expect(sent.map(({ body }) => body)).toEqual(['text', 'text', 'text']);
  });

  it('does not follow a rejected request', async () => {
    await expect(list(connect([json(PROBLEM, 404)]))).rejects.toMatchObject({ status: 404 });
    expect(sent).toHaveLength(1);
  });
});

describe('the token provider', () => {
  const expired = () => json({ ...PROBLEM, status: 401, code: 'identity.token-expired' }, 401);

  it('renews a rejected token once', async () => {
    const token = (rejected?: string) => (rejected === 't1' ? 't2' : 't1');
    await list(connect([expired(), json({ items: [], next_cursor: null })], { token }));
    expect(sent.map((request) => request.token)).toEqual(['Bearer t1', 'Bearer t2']);
    await expect(list(connect([expired(), expired()], { token }))).rejects.toMatchObject({ status: 401 });
  });

  it('is not asked again for the same token', async () => {
    await expect(list(connect([expired()], { token: () => 't1' }))).rejects.toMatchObject({ status: 401 });
    await expect(list(connect([expired()]))).rejects.toMatchObject({ code: 'identity.token-expired' });
    expect(sent).toHaveLength(2);
  });
});

describe('an upload', () => {
  it('opens its stream again for each attempt, and reports progress', async () => {
    const progress: [number, number | undefined][] = [];
    const body = { open: () => new Blob(['abc']).stream(), size: 3 };
    const onProgress = (done: number, total: number | undefined) => void progress.push([done, total]);
    await uploadFile(connect([busy(), json({ key: 'a' }, 201)]), 'a', body, { onProgress });
    expect(sent.map((request) => request.body)).toEqual(['abc', 'abc']);
    expect(progress).toEqual([
      [3, 3],
      [3, 3],
    ]);
  });
});

describe('a download', () => {
  const broken = (error: Error) => new Response(new ReadableStream({ pull: (controller) => controller.error(error) }));
  const read = async (reply: Response, options: Partial<HomeportOptions> = {}) =>
    new Response((await downloadFile(connect([reply], options), 'a.txt')).body).text();

  it('reports a connection that breaks between the bytes', async () => {
    await expect(read(broken(new Error('socket hang up')))).rejects.toThrow(
      new ConnectionFailed('https://homeport.example', new Error('socket hang up')),
    );
  });

  it('rejects with the reason of an abort of all requests', async () => {
    const abort = new AbortController();
    const reply = new Response(
      new ReadableStream({
        pull: (controller) => {
          abort.abort(new Error('interrupted'));
          controller.error(new Error('socket hang up'));
        },
      }),
    );
    await expect(read(reply, { signal: abort.signal })).rejects.toThrow('interrupted');
  });
});

describe('allItems', () => {
  it('requests a page when it is needed', async () => {
    const requested: (string | undefined)[] = [];
    const items = allItems(async (cursor) => {
      requested.push(cursor);
      return cursor === undefined ? { items: [1, 2], next_cursor: 'c' } : { items: [3], next_cursor: null };
    });
    expect(await items.next()).toEqual({ value: 1, done: false });
    expect(requested).toEqual([undefined]);
    const rest: number[] = [];
    for await (const item of items) rest.push(item);
    expect(rest).toEqual([2, 3]);
    expect(requested).toEqual([undefined, 'c']);
  });
});
