import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, signIn, url } from './homeport';
import { until } from './suites';

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, { security?: unknown[]; responses: object }>>;
}

let token: string;

beforeAll(async () => {
  ({ token } = await signIn('ada'));
});

describe('the public routes of the product', () => {
  it('return the pricing statement', async () => {
    const response = await call('/v1/pricing?utm_source=x');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('max-age=300');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const statement = (await response.json()) as { usage: { meters: object[]; includedUsd: number } };
    expect(statement.usage.meters).toHaveLength(7);
    expect(statement.usage.includedUsd).toBe(10);
    const etag = response.headers.get('etag') as string;
    expect((await call('/v1/pricing', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await call('/v1/pricing', { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  it('report liveness and readiness', async () => {
    expect(await (await call('/health/live')).json()).toEqual({ status: 'ok' });
    let ready: unknown;
    // On a busy machine a check may exceed its time limit.
    await until(async () => {
      const response = await call('/health/ready');
      ready = await response.json();
      return response.status === 200 && (ready as { status: string }).status === 'ok';
    });
    expect(ready).toEqual({
      status: 'ok',
      checks: { postgres: 'up', 'signing-keys': 'up', storage: 'up', dns: 'up' },
    });
  });

  it('answer every failure with Problem Details and the request id', async () => {
    const response = await call('/api/files', { headers: { 'x-request-id': 'my-request.1' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('x-request-id')).toBe('my-request.1');
    expect(await response.json()).toMatchObject({
      status: 401,
      code: 'identity.unauthenticated',
      request_id: 'my-request.1',
    });
  });

  it('distinguish a wrong method from an unknown address', async () => {
    const wrongMethod = await call('/v1/pricing', { method: 'DELETE' });
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await wrongMethod.json()).toMatchObject({ code: 'platform.method-not-allowed' });
    const wrongAddress = await call('/api/nothing-here');
    expect([wrongAddress.status, await wrongAddress.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'platform.no-route' }),
    ]);
  });

  it.each([
    ['GET', '/health/live?x=1'],
    ['GET', '/auth/providers?x=1'],
    ['GET', '/auth/sign-in?provider=a&provider=b'],
    ['GET', '/api/apps?x=1'],
    ['GET', '/api/files?prefix=%zz'],
    ['DELETE', '/api/files/a?x=1'],
  ])('reject an unknown query parameter: %s %s', async (method, path) => {
    const response = await call(path, { method, token });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'platform.invalid-request', errors: [expect.anything()] }),
    ]);
  });

  it('check the token before the query', async () => {
    expect((await call('/api/apps?x=1')).status).toBe(401);
  });

  it.each([
    ['GET', '/api/apps/%zz', {}],
    ['GET', '/api/apps/', {}],
    ['GET', '/docs/nothing', {}],
    ['POST', '/api/nothing', { 'content-type': 'text/plain' }],
    ['POST', '/api/nothing', { 'content-type': 'application/json' }],
  ])('answer %s %s with 404, with any body and content type', async (method, path, headers) => {
    const body = method === 'POST' ? { body: 'no json' } : {};
    const response = await call(path, { method, headers, token, ...body });
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'platform.no-route' }),
    ]);
  });

  it('answer 404 for an id of any length', async () => {
    const path = `/api/apps/${'x'.repeat(3_000)}`;
    expect((await call(path)).status).toBe(401);
    const response = await call(path, { token });
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'apps.not-found' }),
    ]);
  });

  it('parse a body only where one is expected', async () => {
    const headers = { 'content-type': 'application/json' };
    const wrongMethod = await call('/api/apps', { method: 'PUT', token, headers, body: '{' });
    expect(wrongMethod.status).toBe(405);
    const registered = (body: string, more: object) =>
      call('/api/apps', { method: 'POST', token, body, headers: { ...headers, ...more } });
    expect((await registered('', {})).status).toBe(400);
    expect((await registered('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await registered('{}', { 'content-type': 'application/json; charset=latin1' })).status).toBe(415);
    expect((await registered('{}', { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(400);
  });

  it.each(['/', '/no-such-page', '/%', '/view/100%'])('serve the client at %s for any Accept header', async (path) => {
    for (const accept of ['*/*', 'text/html']) {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const page = await call(path, { headers: { accept, 'accept-encoding': encoding } });
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        expect(page.headers.get('content-encoding') ?? 'identity').toBe(encoding);
        expect(await page.text()).toContain('</html>');
      }
    }
  });

  it('serve every hashed script compressed and as immutable', async () => {
    const page = await (await call('/', { headers: { accept: 'text/html' } })).text();
    const scripts = [...page.matchAll(/(?:src|href)="(\/[\w-]+-[\w-]{8}\.js)"/g)].map(([, name]) => String(name));
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) {
      const plain = await call(script, { headers: { 'accept-encoding': 'identity' } });
      const bytes = (await plain.arrayBuffer()).byteLength;
      const sent = await call(script, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
      expect(sent.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(sent.headers.get('content-encoding')).toBe(bytes < 1_024 ? null : 'br');
      expect(Number(sent.headers.get('content-length'))).toBeLessThan(bytes < 1_024 ? 1_024 : bytes / 2);
    }
  });

  it('answer 404 for a missing script', async () => {
    expect((await call('/chunk-ABCDEFGH.js', { headers: { accept: '*/*' } })).status).toBe(404);
  });

  it.each(['/', '/signin', '/login', '/files/a/b', '/view/notes.md', '/view/x.json', '/no-such-page', '/%zz'])(
    'serve the client to a browser that opens %s',
    async (path) => {
      const page = await call(path, { headers: { accept: 'text/html,application/xhtml+xml' } });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      const policy = page.headers.get('content-security-policy')?.split('; ');
      const directives = [
        "script-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ];
      expect(policy).toEqual(expect.arrayContaining(directives));
    },
  );

  it.each(['/api/x', '/v1/x', '/auth/x', '/health/x', '/%61pi/x'])('never serve the client at %s', async (path) => {
    expect((await call(path, { headers: { accept: 'text/html' } })).status).toBe(404);
  });
});

describe('the OpenAPI document', () => {
  let document: OpenApi;
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );

  beforeAll(async () => {
    document = (await (await call('/docs/openapi.json')).json()) as OpenApi;
  });

  it('equals apps/api/openapi.json, so that changes of the contract appear in reviews', () => {
    const golden = readFileSync(join(import.meta.dirname, '../../api/openapi.json'), 'utf8');
    // `npm run openapi` regenerates it. Only the address differs: the product under test is on a free port.
    const expected = golden.replaceAll('http://localhost:3000', url);
    expect(document).toEqual(JSON.parse(expected));
  });

  it('covers every module', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    for (const path of ['/api/apps', '/api/apps/{id}', '/api/files', '/v1/pricing', '/auth/session', '/health/ready']) {
      expect(Object.keys(document.paths)).toContain(path);
    }
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  it('requires a token for every /api operation', async () => {
    const closed = operations().filter(({ path }) => path.startsWith('/api/'));
    expect(closed.length).toBeGreaterThanOrEqual(9);
    for (const { path, method, operation } of closed) {
      const [person, ...tokens] = operation.security as readonly object[];
      expect([path, person]).toEqual([path, { bearer: [] }]);
      for (const token of tokens)
        expect([path, token]).toEqual([path, { token: [expect.stringMatching(/^\w+:\w+$/)] }]);
      const response = await call(path.replace(/\{\w+\}/g, 'x').replace('*', 'x'), {
        method: method.toUpperCase(),
      });
      expect([method, path, response.status]).toEqual([method, path, 401]);
    }
  });

  it('requires no token only for the public routes', () => {
    const open = operations().filter(({ operation }) => !JSON.stringify(operation.security ?? []).includes('bearer'));
    for (const { path } of open) expect(path).toMatch(/^\/(auth|health|v1)\//);
  });

  it('is rendered as a page', async () => {
    const page = await call('/docs', { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('swagger-ui')]);
    const policy = page.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'self'", "object-src 'none'", "base-uri 'none'"]));
    expect(policy?.filter((directive) => directive.startsWith('script-src'))).toEqual([]);
  });

  it('rejects a token with changed claims', async () => {
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'northwind|ben' })).toString('base64url');
    const response = await call('/api/files', { token: `${header}.${forged}.${signature}` });
    expect([response.status, await response.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'identity.token-invalid' }),
    ]);
  });
});
