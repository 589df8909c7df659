import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance, LogController } from 'fastify';
import { requestIdOf } from '../node-http/request-id';
import { DomainError } from '@homeport/kernel';
import { sendProblem } from './problems/problem.filter';
import { logRequests } from './request-log';

class Refused extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.refused';
  constructor(options: ErrorOptions) {
    super('It cannot be stored.', options);
  }
}

let server: FastifyInstance;
let url: string;
let lines: Record<string, unknown>[];
let respond: () => void;

beforeEach(async () => {
  lines = [];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
  server = fastify({
    logger: { stream },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
  });
  logRequests(server);
  server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  const { promise, resolve } = Promise.withResolvers<undefined>();
  respond = () => resolve(undefined);
  server.get('/prices/:version', async () => ({ prices: [] }));
  server.get('/slow', async () => {
    await promise;
    return {};
  });
  server.get('/full', async () => {
    await promise;
    throw new Refused({ cause: Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }) });
  });
  server.addContentTypeParser('*', (_request, _body, done) => done(null));
  server.put('/upload', async ({ raw }) => {
    await once(raw.resume(), 'end');
    return {};
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(() => server.close());

/** @returns the lines about a client that disconnects before the handler ends. */
async function disconnectFrom(path: string, method = 'GET'): Promise<readonly Record<string, unknown>[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\n${method === 'PUT' ? 'content-length: 5\r\n' : ''}\r\n`);
  const [request] = (await once(server.server, 'request')) as [IncomingMessage];
  const closed = new Promise((resolve) => request.socket.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
  respond();
  await new Promise((resolve) => setImmediate(resolve));
  return lines.filter(({ msg }) => msg === 'client disconnected before the response ended');
}

describe('logRequests', () => {
  it('writes one line with the route, not the target, and returns the request id', async () => {
    const response = await fetch(`${url}/prices/secret?token=secret`, { headers: { 'x-request-id': 'mine' } });
    await response.text();
    expect([response.headers.get('x-request-id'), response.headers.get('x-content-type-options')]).toEqual([
      'mine',
      'nosniff',
    ]);
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests).toMatchObject([{ method: 'GET', route: '/prices/:version', status: 200, request_id: 'mine' }]);
    expect(requests[0]).toMatchObject({ level: 30, ms: expect.any(Number), time: expect.any(Number) });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('logs a client that disconnects early', async () => {
    expect(await disconnectFrom('/slow')).toMatchObject([{ method: 'GET', route: '/slow' }]);
  });

  it('logs an upload once whose client disconnects', async () => {
    expect(await disconnectFrom('/upload', 'PUT')).toMatchObject([{ method: 'PUT', route: '/upload' }]);
  });

  it('names the cause of a failure whose client has disconnected', async () => {
    expect(await disconnectFrom('/full')).toMatchObject([
      { method: 'GET', route: '/full' },
      { code: 'platform.refused', cause: 'ENOSPC' },
    ]);
  });
});
