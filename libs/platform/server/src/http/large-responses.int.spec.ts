import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { sendProblem } from './problems/problem.filter';
import { LargeResponses, type LargeResponsesOptions } from './large-responses';

/** Larger than the buffers of two loopback sockets. */
const LARGE = 'x'.repeat(32 * 1024 * 1024);

let server: FastifyInstance;
let url: string;
let port: number;
let created: string[];
let sockets: Socket[];

beforeEach(() => {
  created = [];
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** After this time, a query that PostgreSQL does not answer fails. */
const QUERY_LIMIT_MS = 2_500;

const ONE_PER_OWNER = { permits: 16, permitsPerOwner: 1, queuePerOwner: 16, waitLimitMs: 3_600_000 };

const serve = async (options: Partial<LargeResponsesOptions>): Promise<void> => {
  const responses = new LargeResponses(options);
  server = fastify();
  server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  server.get<{ Params: { owner: string; size: string } }>('/:owner/:size', (request, reply) =>
    responses.send(reply, request.params.owner, async () => {
      created.push(request.params.owner);
      return { text: request.params.size === 'large' ? LARGE : 'small' };
    }),
  );
  url = await server.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(url).port);
};

/** Sends a request and does not read the response. */
const stalledClient = async (owner: string): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket.pause());
  socket.on('error', () => undefined);
  socket.write(`GET /${owner}/large HTTP/1.1\r\nhost: x\r\n\r\n`);
  const before = created.length;
  while (created.length === before) await new Promise(setImmediate);
  return socket;
};

describe('LargeResponses', () => {
  it('sends JSON with Content-Length', async () => {
    await serve({});
    const answer = await fetch(`${url}/a/large`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(LARGE.length + 11),
    });
    expect(await answer.json()).toEqual({ text: LARGE });
    const head = await fetch(`${url}/a/small`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '16']);
  });

  it('rejects an owner whose clients do not read, and serves others', async () => {
    await serve({ bufferSlots: { ...ONE_PER_OWNER, permitsPerOwner: 2, waitLimitMs: 0 }, graceMs: 3_600_000 });
    await Promise.all([stalledClient('a'), stalledClient('a')]);
    const rejected = await fetch(`${url}/a/small`);
    expect([rejected.status, rejected.headers.get('retry-after'), await rejected.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'platform.capacity-unavailable' }),
    ]);
    expect((await fetch(`${url}/b/small`)).status).toBe(200);
    expect(created).toEqual(['a', 'a', 'b']);
  });

  it('limits the concurrent responses per owner and serves others in parallel', async () => {
    const responses = new LargeResponses({ encodeSlots: { ...ONE_PER_OWNER, permitsPerOwner: 2 } });
    const running: (() => void)[] = [];
    server = fastify();
    server.get<{ Params: { owner: string } }>('/:owner', (request, reply) =>
      responses.send(reply, request.params.owner, async () => {
        created.push(request.params.owner);
        if (request.params.owner === 'a') await new Promise<void>((resolve) => running.push(resolve));
        return {};
      }),
    );
    url = await server.listen({ port: 0, host: '127.0.0.1' });
    const waiting = Promise.all([1, 2, 3].map(() => fetch(`${url}/a`)));
    while (created.length < 2) await new Promise(setImmediate);
    expect((await fetch(`${url}/b`)).status).toBe(200);
    expect(created).toEqual(['a', 'a', 'b']);
    for (let ended = 0; ended < 3; ended += 1) {
      while (running.length === 0) await new Promise(setImmediate);
      running.shift()?.();
    }
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('lets an owner wait after a large response, and serves others', async () => {
    await serve({ encodeSlots: { ...ONE_PER_OWNER, waitLimitMs: 0 }, encodedBytesPerSecond: 10_000 });
    expect((await fetch(`${url}/a/large`)).status).toBe(200);
    expect([(await fetch(`${url}/a/small`)).status, (await fetch(`${url}/b/small`)).status]).toEqual([503, 200]);
    expect((await fetch(`${url}/b/small`)).status).toBe(200);
  });

  it('serves an owner again when the rate allows it', async () => {
    await serve({ encodeSlots: ONE_PER_OWNER, encodedBytesPerSecond: 1e12 });
    expect((await fetch(`${url}/a/large`)).status).toBe(200);
    expect((await fetch(`${url}/a/small`)).status).toBe(200);
  });

  it('releases the permit when the client disconnects', async () => {
    await serve({ bufferSlots: ONE_PER_OWNER, graceMs: 3_600_000 });
    (await stalledClient('a')).destroy();
    expect((await fetch(`${url}/a/small`)).status).toBe(200);
  });

  it('disconnects a client that reads too slowly', async () => {
    await serve({ bufferSlots: ONE_PER_OWNER, graceMs: 1, bytesPerSecond: 1e12 });
    const slow = await stalledClient('a');
    expect((await fetch(`${url}/a/small`)).status).toBe(200);
    slow.resume();
    let received = 0;
    slow.on('data', (chunk: Buffer) => (received += chunk.length));
    await once(slow, 'close');
    expect(received).toBeLessThan(LARGE.length);
  });

  it('lets an organization wait for as long as PostgreSQL may take', async () => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    try {
      const query = Promise.withResolvers<string>();
      const responses = new LargeResponses();
      server = fastify();
      server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
      server.get('/', (_request, reply) => responses.send(reply, 'a', () => query.promise));
      await server.ready();
      const answers = Array.from({ length: 20 }, () => server.inject('/'));
      await jest.advanceTimersByTimeAsync(QUERY_LIMIT_MS);
      query.resolve('apps');
      expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    } finally {
      jest.useRealTimers();
    }
  });

  it('passes errors on and releases the permit', async () => {
    const responses = new LargeResponses({
      bufferSlots: { ...ONE_PER_OWNER, waitLimitMs: 0 },
      encodeSlots: { ...ONE_PER_OWNER, waitLimitMs: 0 },
    });
    server = fastify();
    server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
    server.get('/', (_request, reply) => responses.send(reply, 'a', () => Promise.reject(new Error('broken'))));
    url = await server.listen({ port: 0, host: '127.0.0.1' });
    for (let times = 0; times < 2; times += 1) expect((await fetch(url)).status).toBe(500);
  });
});
