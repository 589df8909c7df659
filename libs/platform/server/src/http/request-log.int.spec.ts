import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance, LogController } from 'fastify';
import { requestIdOf } from '../node-http/request-id';
import { logRequests } from './request-log';

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
  const { promise, resolve } = Promise.withResolvers<undefined>();
  respond = () => resolve(undefined);
  server.get('/prices/:version', async () => ({ prices: [] }));
  server.get('/slow', async () => {
    await promise;
    return {};
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});

afterEach(() => server.close());

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
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
    const [request] = (await once(server.server, 'request')) as [IncomingMessage];
    const closed = new Promise((resolve) => request.socket.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    respond();
    await new Promise((resolve) => setImmediate(resolve));
    const disconnects = lines.filter(({ msg }) => msg === 'client disconnected before the response ended');
    expect(disconnects).toMatchObject([{ method: 'GET', route: '/slow' }]);
  });
});
