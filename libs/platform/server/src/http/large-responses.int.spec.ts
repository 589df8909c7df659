import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { sendProblem } from '../problems/problem.filter';
import { LargeResponses, type LargeResponsesOptions } from './large-responses';

/** More than the buffers of two sockets on loopback take. */
const LARGE = 'x'.repeat(32 * 1024 * 1024);

let server: FastifyInstance;
let url: string;
let port: number;
let made: string[];
let sockets: Socket[];

beforeEach(() => {
  made = [];
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

const HELD = { permits: 16, permitsPerOwner: 1, queuePerOwner: 16, waitLimitMs: 3_600_000 };

const serve = async (options: Partial<LargeResponsesOptions>): Promise<void> => {
  const answers = new LargeResponses(options);
  server = fastify();
  server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  server.get<{ Params: { owner: string; size: string } }>('/:owner/:size', (request, reply) =>
    answers.send(reply, request.params.owner, async () => {
      made.push(request.params.owner);
      return { text: request.params.size === 'large' ? LARGE : 'small' };
    }),
  );
  url = await server.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(url).port);
};

/** Asks, and reads nothing. */
const stall = async (owner: string): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket.pause());
  socket.on('error', () => undefined);
  socket.write(`GET /${owner}/large HTTP/1.1\r\nhost: x\r\n\r\n`);
  const before = made.length;
  while (made.length === before) await new Promise(setImmediate);
  return socket;
};

describe('LargeResponses', () => {
  it('sends JSON with its length', async () => {
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

  it('makes no further answer for an owner whose readers take none, and goes on for others', async () => {
    await serve({ bufferSlots: { ...HELD, permitsPerOwner: 2, waitLimitMs: 0 }, graceMs: 3_600_000 });
    await Promise.all([stall('a'), stall('a')]);
    const refused = await fetch(`${url}/a/small`);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'platform.capacity-unavailable' }),
    ]);
    expect((await fetch(`${url}/b/small`)).status).toBe(200);
    expect(made).toEqual(['a', 'a', 'b']);
  });

  it('makes a few answers of an owner at a time, and those of others beside them', async () => {
    const answers = new LargeResponses({ encodeSlots: { ...HELD, permitsPerOwner: 2 } });
    const running: (() => void)[] = [];
    server = fastify();
    server.get<{ Params: { owner: string } }>('/:owner', (request, reply) =>
      answers.send(reply, request.params.owner, async () => {
        made.push(request.params.owner);
        if (request.params.owner === 'a') await new Promise<void>((resolve) => running.push(resolve));
        return {};
      }),
    );
    url = await server.listen({ port: 0, host: '127.0.0.1' });
    const waiting = Promise.all([1, 2, 3].map(() => fetch(`${url}/a`)));
    while (made.length < 2) await new Promise(setImmediate);
    expect((await fetch(`${url}/b`)).status).toBe(200);
    expect(made).toEqual(['a', 'a', 'b']);
    for (let ended = 0; ended < 3; ended += 1) {
      while (running.length === 0) await new Promise(setImmediate);
      running.shift()?.();
    }
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('gives the permit back when the client leaves', async () => {
    await serve({ bufferSlots: HELD, graceMs: 3_600_000 });
    (await stall('a')).destroy();
    expect((await fetch(`${url}/a/small`)).status).toBe(200);
  });

  it('cuts off a client that takes its answer too slowly', async () => {
    await serve({ bufferSlots: HELD, graceMs: 1, bytesPerSecond: 1e12 });
    const slow = await stall('a');
    expect((await fetch(`${url}/a/small`)).status).toBe(200);
    slow.resume();
    let received = 0;
    slow.on('data', (chunk: Buffer) => (received += chunk.length));
    await once(slow, 'close');
    expect(received).toBeLessThan(LARGE.length);
  });

  it('answers a failure as it is, and gives the permit back', async () => {
    const answers = new LargeResponses({
      bufferSlots: { ...HELD, waitLimitMs: 0 },
      encodeSlots: { ...HELD, waitLimitMs: 0 },
    });
    server = fastify();
    server.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
    server.get('/', (_request, reply) => answers.send(reply, 'a', () => Promise.reject(new Error('broken'))));
    url = await server.listen({ port: 0, host: '127.0.0.1' });
    for (let times = 0; times < 2; times += 1) expect((await fetch(url)).status).toBe(500);
  });
});
