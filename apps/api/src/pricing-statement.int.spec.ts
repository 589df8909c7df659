import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { request } from 'undici';
import { ROUTE_POLICIES } from './route-policies';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

const PATH = '/v1/pricing';
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };

let api: InProcessApi | undefined;

const stop = async () => {
  await api?.stop();
  api = undefined;
};

interface ReadOptions {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Record<string, string>;
}

async function read(path: string, { method = 'GET', headers = {} }: ReadOptions = {}) {
  const response = await request(`${api?.url}${path}`, { method, headers: { 'x-request-id': 'mine', ...headers } });
  const responseHeaders: Record<string, unknown> = { ...response.headers, date: 'any' };
  return {
    status: response.statusCode,
    headers: responseHeaders,
    body: Buffer.from(await response.body.arrayBuffer()),
  };
}

/** Sends raw requests over one connection and reads until the server closes it. */
async function exchange(message: string): Promise<string> {
  const socket = connect(Number(new URL(api?.url as string).port), '127.0.0.1');
  socket.setEncoding('latin1').write(message);
  return text(socket);
}

describe('the representations of GET /v1/pricing', () => {
  beforeAll(async () => {
    api = await startInProcessApi();
  });
  afterAll(stop);

  it.each([
    [undefined, 'identity'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', 'identity'],
    ['zstd', 'identity'],
    ['*', 'br'],
    ['', 'identity'],
  ] as const)('negotiates the encoding and compares its ETag: Accept-Encoding %p', async (accepted, encoding) => {
    const accept: Record<string, string> = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const plain = await read(PATH);
    const whole = await read(PATH, { headers: accept });
    const etag = whole.headers['etag'] as string;
    const { 'content-length': length, 'content-type': type, ...common } = whole.headers;
    expect([whole.status, type, length]).toEqual([200, 'application/json; charset=utf-8', String(whole.body.length)]);
    expect(common).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=300',
      link: '</v1/pricing/schema>; rel="describedby"',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'mine',
    });
    expect(common['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    expect(UNPACK[encoding](whole.body)).toEqual(plain.body);
    expect(etag === plain.headers['etag']).toBe(encoding === 'identity');
    for (const tag of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
      const notModified = await read(PATH, { headers: { ...accept, 'if-none-match': tag } });
      expect(notModified).toEqual({ status: 304, headers: common, body: Buffer.alloc(0) });
    }
    for (const tag of ['"other"', '', 'nonsense', etag.replace('"', '"x')]) {
      expect(await read(PATH, { headers: { ...accept, 'if-none-match': tag } })).toEqual(whole);
    }
  });

  it('ignores the query, and answers HEAD with the same headers', async () => {
    const whole = await read(PATH, { headers: { 'accept-encoding': 'br' } });
    expect(await read(`${PATH}?utm_source=x`, { headers: { 'accept-encoding': 'br' } })).toEqual(whole);
    const head = await read(PATH, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    // The client closes the connection after HEAD.
    const headers = { ...whole.headers, connection: 'close', 'keep-alive': undefined };
    expect(head).toEqual({ ...whole, headers, body: Buffer.alloc(0) });
  });

  it('sends pipelined responses over one connection', async () => {
    const { body } = await read(PATH);
    const head = `GET ${PATH} HTTP/1.1\r\nHost: x\r\n`;
    const answer = await exchange(`${head}\r\n${head}\r\n${head}Connection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(answer.split(body.toString('latin1'))).toHaveLength(4);
  });
});

describe('Access-Control-Allow-Origin', () => {
  let token: string;

  beforeAll(async () => {
    api = await startInProcessApi();
    token = await api.issuer.token({ org_id: 'org-1' });
  });
  afterAll(stop);

  const allowedOrigin = async (method: string, path: string): Promise<string | null> => {
    const headers = { origin: 'https://other.example', authorization: `Bearer ${token}` };
    const response = await fetch(`${api?.url}${path}`, { method, headers });
    await response.body?.cancel();
    return response.headers.get('access-control-allow-origin');
  };
  const routes = Object.keys(ROUTE_POLICIES).map((route) => route.split(' ') as [string, string]);

  it.each(routes.filter(([, path]) => !path.startsWith('/v1/pricing')))(
    'is not sent by %s %s',
    async (method, path) => {
      const target = path.replace('*', 'file.txt').replaceAll(/:\w+/g, 'x');
      expect(await allowedOrigin(method, target)).toBeNull();
      // A preflight request.
      expect(await allowedOrigin('OPTIONS', target)).toBeNull();
    },
  );

  it.each(['/', '/docs', '/docs/openapi.json', '/nothing', '/api/nothing'])('is not sent at %s', async (path) => {
    expect(await allowedOrigin('GET', path)).toBeNull();
  });

  it.each(['/v1/pricing', '/v1/pricing/schema', '/v1/pricing/versions'])('is sent at %s', async (path) => {
    expect(await allowedOrigin('GET', path)).toBe('*');
  });
});

describe('GET /v1/pricing', () => {
  afterEach(stop);

  it('closes the connection after the response while the server drains', async () => {
    api = await startInProcessApi();
    expect((await read(PATH)).headers['connection']).toBe('keep-alive');
    api.server.drain.begin();
    const draining = await read(PATH);
    expect([draining.status, draining.headers['connection']]).toEqual([200, 'close']);
  });

  it('counts every response against the limit of the address', async () => {
    api = await startInProcessApi({ RATE_LIMIT_PER_ADDRESS: '6' });
    const seen: unknown[] = [];
    for (let i = 0; i < 8; i += 1) {
      const { status, headers } = await read(i % 2 ? `${PATH}?any` : PATH);
      const remaining = /r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
      seen.push([status, remaining, headers['ratelimit-policy'], headers['retry-after'] !== undefined]);
    }
    const policy = '"address";q=6;w=60';
    expect(seen).toEqual([
      ...['5', '4', '3', '2', '1', '0'].map((remaining) => [200, remaining, policy, false]),
      [429, '0', policy, true],
      [429, '0', policy, true],
    ]);
  });

  it('counts callers separately behind a trusted proxy, but not for untrusted X-Forwarded-For', async () => {
    api = await startInProcessApi({ RATE_LIMIT_PER_ADDRESS: '1', TRUSTED_PROXIES: '127.0.0.1' });
    const from = async (address: string) => (await read(PATH, { headers: { 'x-forwarded-for': address } })).status;
    expect([await from('198.51.100.1'), await from('198.51.100.2'), await from('198.51.100.1')]).toEqual([
      200, 200, 429,
    ]);
    await stop();
    api = await startInProcessApi({ RATE_LIMIT_PER_ADDRESS: '1' });
    expect([await from('198.51.100.1'), await from('198.51.100.2')]).toEqual([200, 429]);
  });

  it('responds with 500 to a defect and continues to serve', async () => {
    api = await startInProcessApi({}, (adapters) => {
      const { priceRevisions } = adapters.pricing;
      jest.spyOn(priceRevisions, 'list').mockRejectedValue(new Error('a defect'));
      return adapters;
    });
    const failed = await read(`${PATH}/versions`);
    expect([failed.status, JSON.parse(failed.body.toString())]).toEqual([
      500,
      expect.objectContaining({ status: 500 }),
    ]);
    expect((await read(PATH)).status).toBe(200);
  });
});
