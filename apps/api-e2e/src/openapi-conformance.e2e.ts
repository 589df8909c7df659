import { beforeAll, describe, expect, it } from '@jest/globals';
import { tarGz } from './apps/archives';
import { DeployClient } from './apps/deploy-client';
import { call, callJson, signIn } from './homeport';

interface Operation {
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Absent, because the product under test runs without rate limits. */
const RATE_LIMIT = ['RateLimit', 'RateLimit-Policy'];
const FILE = `described ${process.pid}.txt`;

let token: string;
let paths: Record<string, Record<string, Operation>>;
let operations: Described[];

beforeAll(async () => {
  ({ token } = await signIn('ada'));
  ({ paths } = (await (await call('/docs/openapi.json')).json()) as { paths: typeof paths });
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
});

function addressOf(path: string): string {
  return path.replace(/\{\w+\}/g, 'x');
}

/** Response headers that the document declares and the response lacks. */
function missingHeaders(response: Response, path: string, method: string): string[] {
  const described = paths[path]?.[method]?.responses[response.status];
  expect([method, path, response.status, described]).toEqual([method, path, response.status, expect.anything()]);
  const names = Object.keys(described?.headers ?? {}).filter((name) => !RATE_LIMIT.includes(name));
  expect(names).toContain('X-Request-Id');
  return names.filter((name) => !response.headers.has(name));
}

describe('responses and the OpenAPI document', () => {
  it('agree on unknown query parameters', async () => {
    expect(operations.length).toBeGreaterThan(30);
    for (const { path, method, operation } of operations) {
      if ('x-ignores-unknown-query-parameters' in operation) continue;
      const { status } = await call(`${addressOf(path)}?unheard-of=1`, { token, method: method.toUpperCase() });
      expect([method, path, status]).toEqual([method, path, 400]);
      expect(Object.keys(operation.responses)).toContain('400');
    }
  });

  it.each([
    ['an unknown media type', { 'content-type': '///' }, '{}'],
    ['another character set', { 'content-type': 'application/json; charset=latin1' }, '{}'],
    ['malformed JSON', { 'content-type': 'application/json' }, '{'],
    ['too much JSON', { 'content-type': 'application/json' }, ' '.repeat(2 ** 20 + 1)],
  ])('agree on a body with %s, also where a call has no body', async (_, headers, body) => {
    // The set-up of all tests compares the responses.
    const writing = operations.filter(({ method }) => !['get', 'head'].includes(method));
    expect(writing.length).toBeGreaterThan(20);
    for (const { path, method } of writing) {
      const { status } = await call(addressOf(path), { token, method: method.toUpperCase(), headers, body });
      expect([method, path, status]).toEqual([method, path, expect.any(Number)]);
    }
  });

  it('agree on the headers of files', async () => {
    const address = `/api/files/${encodeURIComponent(FILE)}`;
    const path = '/api/files/{path}';
    const file = (method: string, headers?: Record<string, string>) =>
      call(address, { token, method, ...(headers && { headers }), ...(method === 'PUT' && { body: 'Hello' }) });
    const created = await file('PUT', { 'content-digest': 'sha-256=:GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=:' });
    expect([created.status, missingHeaders(created, path, 'put')]).toEqual([201, []]);
    const etag = created.headers.get('etag') as string;
    for (const [method, headers, status] of [
      ['PUT', { 'if-match': etag }, 200],
      ['PUT', { 'if-none-match': '*' }, 412],
      ['PUT', { 'content-digest': 'sha-256=:AAAA:' }, 400],
      ['PUT', { 'repr-digest': 'sha-256=:AAAA:' }, 400],
      ['PUT', { 'content-md5': 'AAAA' }, 400],
      ['GET', {}, 200],
      ['GET', { range: 'bytes=0-1' }, 206],
      ['GET', { range: 'bytes=0-1', 'if-range': '"other"' }, 200],
      ['GET', { range: 'bytes=9-' }, 416],
      ['GET', { 'if-none-match': etag }, 304],
      ['GET', { 'if-match': '"other"' }, 412],
      ['HEAD', {}, 200],
      ['HEAD', { 'if-none-match': etag }, 304],
      ['HEAD', { range: 'bytes=0-1' }, 200],
      ['DELETE', { 'if-match': '"other"' }, 412],
      ['DELETE', { 'if-match': etag }, 204],
      ['GET', {}, 404],
    ] as const) {
      const response = await file(method, headers);
      expect([method, headers, response.status]).toEqual([method, headers, status]);
      expect([method, headers, missingHeaders(response, path, method.toLowerCase())]).toEqual([method, headers, []]);
    }
  });

  it('agree on the headers of archives', async () => {
    const name = `archived ${process.pid}.txt`;
    await call(`/api/files/${encodeURIComponent(name)}`, { token, method: 'PUT', body: 'Hello' });
    const linked = await callJson('/api/archives', token, 'POST', { paths: [name] });
    expect([linked.status, missingHeaders(linked, '/api/archives', 'post')]).toEqual([201, []]);
    const { url } = (await linked.json()) as { url: string };
    for (const [address, status] of [
      [url, 200],
      [`${url}x`, 404],
    ] as const) {
      const response = await call(address);
      const missing = missingHeaders(response, '/v1/archives/{ticket}', 'get');
      expect([response.status, missing]).toEqual([status, []]);
    }
  });

  it('agree on the headers of registrations and uploads', async () => {
    const deployer = new DeployClient(token);
    const app = await deployer.register('Described');
    const key = { 'idempotency-key': `described-${app.id}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: `Described twice ${process.pid} ${Date.now()}` });
    await call('/api/apps', { token, method: 'POST', headers: key, body });
    const replayed = await call('/api/apps', { token, method: 'POST', headers: key, body });
    expect([replayed.status, missingHeaders(replayed, '/api/apps', 'post')]).toEqual([201, []]);
    const headers = { 'content-type': 'application/gzip' };
    const archive = await tarGz({ 'index.html': 'Hello' });
    const deploys = { token, method: 'POST', headers, body: new Uint8Array(archive) };
    const deployed = await call(`/api/apps/${app.id}/deploys`, deploys);
    expect([deployed.status, missingHeaders(deployed, '/api/apps/{id}/deploys', 'post')]).toEqual([201, []]);
    const wrong = await call(`/api/apps/${app.id}/deploys`, { ...deploys, headers: { 'content-type': 'text/plain' } });
    expect([wrong.status, missingHeaders(wrong, '/api/apps/{id}/deploys', 'post')]).toEqual([415, []]);
  });

  it('agree on the headers of every GET and HEAD without path parameters', async () => {
    const reads = operations.filter(({ path, method }) => /^(get|head)$/.test(method) && !path.includes('{'));
    for (const { path, method } of reads.filter((each) => !/^\/auth\/(sign-in|callback)$/.test(each.path))) {
      const first = await call(path, { token, method: method.toUpperCase() });
      expect([method, path, missingHeaders(first, path, method)]).toEqual([method, path, []]);
      const etag = first.headers.get('etag');
      const takesTag = paths[path]?.[method]?.parameters?.some(({ name }) => name === 'If-None-Match') ?? false;
      expect([method, path, takesTag]).toEqual([method, path, etag !== null]);
      if (etag === null) continue;
      const again = await call(path, { token, method: method.toUpperCase(), headers: { 'if-none-match': etag } });
      // Another test may have written a file in between.
      if (path === '/api/files' && again.status === 200) continue;
      expect([method, path, again.status, missingHeaders(again, path, method)]).toEqual([method, path, 304, []]);
    }
  });

  it('agree on the response to a request without a token', async () => {
    const closed = operations.filter(
      ({ path, operation }) => path.startsWith('/api/') && operation.security.length > 0,
    );
    expect(closed.length).toBeGreaterThan(15);
    for (const { path, method } of closed) {
      const response = await call(addressOf(path), { method: method.toUpperCase() });
      expect([method, path, response.status, missingHeaders(response, path, method)]).toEqual([method, path, 401, []]);
    }
  });
});
