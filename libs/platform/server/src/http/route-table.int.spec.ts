import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { sendProblem } from './problems/problem.filter';
import { collectRoutes } from './route-table';
import { rawPathOf } from '@homeport/kernel';

let server: FastifyInstance;

beforeEach(async () => {
  server = fastify({ routerOptions: { maxParamLength: 4_096 } });
  const routes = collectRoutes(server);
  const answer = async () => 'ok';
  server.get('/apps', answer);
  server.post('/apps', answer);
  server.get('/apps/:id', answer);
  server.delete('/apps/:name', answer);
  server.post('/apps/:id/dns/retry', answer);
  server.route({ method: ['GET', 'PUT'], url: '/files/*', handler: answer });
  server.delete('/files/*', answer);
  server.post('/only-post', answer);
  server.setNotFoundHandler((request, reply) => {
    sendProblem(routes.errorFor(request.method, rawPathOf(request.originalUrl)), request, reply);
  });
  await server.ready();
});

afterEach(() => server.close());

async function call(method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', url: string) {
  const { statusCode: status, headers, body } = await server.inject({ method, url });
  const code = body === '' || status === 200 ? undefined : (JSON.parse(body) as { code: string }).code;
  return { status, allow: headers.allow, code };
}

describe('collectRoutes', () => {
  it.each([
    ['DELETE', '/apps', 'GET, HEAD, POST'],
    ['PATCH', '/apps?limit=1', 'GET, HEAD, POST'],
    ['OPTIONS', '/apps', 'GET, HEAD, POST'],
    ['PUT', '/apps/1', 'GET, HEAD, DELETE'],
    ['GET', '/apps/1/dns/retry', 'POST'],
    ['POST', '/files/a/b%2Fc', 'GET, HEAD, PUT, DELETE'],
    ['POST', '/files/', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/only-post', 'POST'],
    ['PUT', `/apps/${'x'.repeat(500)}`, 'GET, HEAD, DELETE'],
  ] as const)('responds to %s %s with 405 and Allow', async (method, url, allow) => {
    expect(await call(method, url)).toEqual({ status: 405, allow, code: 'platform.method-not-allowed' });
  });

  it.each([
    ['GET', '/nowhere'],
    ['POST', '/apps/1/2'],
    ['GET', '/apps/1/dns'],
    ['GET', '/files'],
    ['GET', '/APPS'],
    ['GET', '//apps'],
    ['DELETE', '/apps/1/dns/retry/'],
    ['GET', '/__proto__'],
    ['GET', '/:_'],
  ] as const)('responds to %s %s with 404', async (method, url) => {
    expect(await call(method, url)).toEqual({ status: 404, allow: undefined, code: 'platform.no-route' });
  });

  it('does not affect valid requests', async () => {
    for (const [method, url] of [
      ['GET', '/apps/1'],
      ['DELETE', '/apps/1'],
      ['HEAD', '/files/a'],
    ] as const) {
      expect((await call(method, url)).status).toBe(200);
    }
  });

  it('returns NoRoute when no routes were added', () => {
    const bare = fastify();
    expect(collectRoutes(bare).errorFor('GET', '/').code).toBe('platform.no-route');
  });
});
