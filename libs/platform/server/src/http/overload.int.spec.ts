import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { ConnectionTracker } from '../node-http/connection-tracker';
import { LoadShedder } from '../node-http/load-shedder';
import { installConnectionLimits } from './connection-limits';

const CROWD = 4;
const CROWDED_MS = 2_000;
const CALM_MS = 1_000;

let server: FastifyInstance;
let shedder: LoadShedder;
let agent: Agent;
let release: () => void;
/** Milliseconds that the clock of the shedder is ahead. */
let ahead: number;
/** Requests that wait for the release. */
let waiting: number;

beforeEach(async () => {
  agent = new Agent({ keepAlive: true });
  ahead = 0;
  waiting = 0;
  shedder = new LoadShedder({
    crowd: CROWD,
    maxReads: 2,
    maxWrites: CROWD + 1,
    now: () => performance.now() + ahead,
    groupOf: ({ url }) => (url === '/health/live' ? undefined : 'all'),
  });
  server = fastify({ forceCloseConnections: true });
  const released = new Promise<void>((resolve) => (release = resolve));
  server.get('/slow', async () => {
    waiting += 1;
    await released;
    return {};
  });
  server.get('/*', async () => ({}));
  server.post('/*', async () => ({}));
  await server.ready();
  installConnectionLimits(server, new ConnectionTracker(), { callerOf: () => 'caller', shedder });
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => {
  agent.destroy();
  return server.close();
});

async function call(path: string, { method = 'GET', body = '' } = {}): Promise<IncomingMessage> {
  const { port } = server.server.address() as AddressInfo;
  const headers = body === '' ? {} : { 'content-type': 'application/json', 'content-length': body.length };
  const exchange = send({ port, host: '127.0.0.1', path, method, headers, agent });
  exchange.end(body);
  const [response] = (await once(exchange, 'response')) as [IncomingMessage];
  return response;
}

async function statusOf(path: string): Promise<number | undefined> {
  const response = await call(path);
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** Occupies the server with requests that wait. @returns a function that waits for their statuses, after the release. */
async function overload(): Promise<() => Promise<(number | undefined)[]>> {
  const accepted = Array.from({ length: CROWD + 1 }, () => statusOf('/slow'));
  while (waiting <= CROWD) await statusOf('/health/live');
  expect(await statusOf('/fast')).toBe(200);
  ahead += CROWDED_MS + 1;
  expect(await statusOf('/fast')).toBe(503);
  return () => Promise.all(accepted);
}

describe('an overloaded server', () => {
  it('refuses a read at once, keeps its connection, and serves health checks and what it accepted', async () => {
    const accepted = await overload();
    const response = await call('/fast');
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({
      connection: 'keep-alive',
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': '1',
      'x-request-id': expect.any(String),
    });
    expect(await json(response)).toMatchObject({ status: 503, code: 'platform.capacity-unavailable' });
    expect(await statusOf('/health/live')).toBe(200);
    release();
    expect(await accepted()).toEqual(Array(CROWD + 1).fill(200));
  });

  it('closes the connection of a refused body without reading it', async () => {
    const accepted = await overload();
    const response = await call('/', { method: 'POST', body: '{}' });
    expect([response.statusCode, response.headers.connection]).toEqual([503, 'close']);
    await response.resume().toArray();
    release();
    await accepted();
  });

  it('serves again after the overload', async () => {
    const accepted = await overload();
    expect(await statusOf('/fast')).toBe(503);
    release();
    await accepted();
    expect(await statusOf('/fast')).toBe(200);
    ahead += CALM_MS + 1;
    expect(await statusOf('/fast')).toBe(200);
    expect([shedder.isOverloaded, shedder.refused]).toEqual([false, 2]);
  });
});
