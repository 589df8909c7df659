import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROUTE_POLICIES } from './route-policies';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

let api: InProcessApi;
let token: string;

beforeAll(async () => {
  api = await startInProcessApi();
  token = await api.issuer.token({ org_id: 'org-1' });
});

afterAll(() => api?.stop());

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function headersOf(path: string, { method = 'GET', headers = {}, body }: RequestOptions = {}) {
  const response = await fetch(api.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  await response.arrayBuffer();
  return {
    status: response.status,
    cacheControl: response.headers.get('cache-control') ?? '',
    vary: response.headers.get('vary') ?? '',
  };
}

const PRIVATE = { cacheControl: expect.stringMatching(/^private, no-(store|cache)$/), vary: 'Authorization' };
const bearer = () => ({ authorization: `Bearer ${token}` });
const ROUTES = Object.keys(ROUTE_POLICIES)
  .filter((route) => route.includes(' /api/'))
  .map((route) => route.split(' ') as [string, string]);

describe.each(ROUTES)('%s %s', (method, path) => {
  const address = path.replace('*', 'private-answers.txt').replace(/:\w+/, 'x');

  it('is private for a member, without a token and with an invalid token', async () => {
    const call = { method, ...(method === 'PUT' ? { body: 'text' } : {}) };
    for (const headers of [bearer(), {}, { authorization: 'Bearer no.real.token' }]) {
      expect(await headersOf(address, { ...call, headers })).toMatchObject(PRIVATE);
    }
    expect(await headersOf(`${address}?unknown=1`, { ...call, headers: bearer() })).toMatchObject(PRIVATE);
  });

  it('is private for HEAD and for a method that is not allowed', async () => {
    expect(await headersOf(address, { method: 'HEAD', headers: bearer() })).toMatchObject(PRIVATE);
    expect(await headersOf(address, { method: 'PATCH', headers: bearer() })).toMatchObject(PRIVATE);
  });
});

describe('responses under /api without a route', () => {
  it.each(['/api', '/api/', '/api/none', '/API/apps', '/%61pi/apps', '/api/apps/%zz', '/api/files/%00', '//api/apps'])(
    'are private at %s',
    async (path) => {
      expect(await headersOf(path, { headers: bearer() })).toMatchObject(PRIVATE);
    },
  );

  it('are private when the HTTP parser rejects the request', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.end('GET /api/apps HTTP/1.1\r\nHost: a\r\nBad Header\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\ncache-control: private, no-store\r\nvary: Authorization\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toMatchObject({ code: 'platform.invalid-request' });
  });
});

describe('browser caching', () => {
  it('is allowed for file contents but not for lists', async () => {
    const call = { headers: bearer() };
    await headersOf('/api/files/stored.txt', { ...call, method: 'PUT', body: 'text' });
    const file = await fetch(`${api.url}/api/files/stored.txt`, call);
    await file.arrayBuffer();
    expect(file.headers.get('cache-control')).toBe('private, no-cache');
    const etag = file.headers.get('etag') as string;
    expect(await headersOf('/api/files/stored.txt', { headers: { ...bearer(), 'if-none-match': etag } })).toEqual({
      status: 304,
      cacheControl: 'private, no-cache',
      vary: 'Authorization',
    });
    for (const list of ['/api/apps', '/api/files', '/api/subdomains/shop']) {
      expect(await headersOf(list, call)).toEqual({
        status: 200,
        cacheControl: 'private, no-store',
        vary: 'Authorization',
      });
    }
  });

  it('is not allowed for session responses', async () => {
    for (const path of ['/auth/providers', '/auth/session', '/auth/sessions', '/auth/none']) {
      expect((await headersOf(path)).cacheControl).toBe('no-store');
    }
    for (const [method, path] of [
      ['POST', '/auth/sign-out'],
      ['DELETE', '/auth/sessions'],
      ['DELETE', '/auth/sessions/x'],
    ] as const) {
      expect((await headersOf(path, { method, headers: { 'sec-fetch-site': 'same-origin' } })).cacheControl).toBe(
        'no-store',
      );
    }
  });
});
