import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { Drain } from './drain';
import { ignoreUpgrades } from './ignore-upgrades';

const LIMIT_MS = 25_000;
const QUEUED = 100;
/** Longer than the checks that close an idle connection. */
const BUSY_MS = 1_000;

let server: FastifyInstance;
let drain: Drain;
let agent: Agent;
let port: number;
let finishSlow: () => void;
let slowArrived: Promise<void>;

beforeEach(async () => {
  server = fastify({ keepAliveTimeout: 600_000 });
  drain = new Drain(server.server);
  const gate = new Promise<void>((resolve) => (finishSlow = resolve));
  slowArrived = new Promise((arrived) => {
    server.get('/slow', async () => {
      arrived();
      await gate;
      return { slow: true };
    });
  });
  server.get('/fast', async () => ({ fast: true }));
  server.get('/broken', async () => {
    throw new Error('a defect');
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.server.address() as AddressInfo);
  agent = new Agent({ keepAlive: true });
});

afterEach(async () => {
  finishSlow();
  agent.destroy();
  await server.close();
});

interface Result {
  readonly connection: string | undefined;
  readonly text: string;
}

function call(path: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ connection: response.headers.connection, text: Buffer.concat(chunks).toString() });
      });
    }).on('error', reject);
  });
}

describe('Drain', () => {
  it('tracks a connection once when it carries several requests with an Upgrade header', async () => {
    ignoreUpgrades(server.server, () => false);
    const accepted = once(server.server, 'connection');
    const socket = connect(port, '127.0.0.1');
    const [connection] = (await accepted) as [Socket];
    const listeners: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      socket.write('GET /fast HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
      await once(socket, 'data');
      listeners.push(connection.listenerCount('close'));
    }
    socket.destroy();
    expect(new Set(listeners.slice(1)).size).toBe(1);
  });

  it('keeps connections alive until it begins', async () => {
    expect(drain.isDraining).toBe(false);
    expect(await call('/fast')).toEqual({ connection: 'keep-alive', text: '{"fast":true}' });
  });

  it('closes the connection with every response after begin(), including errors and unknown paths', async () => {
    await call('/fast');
    drain.begin();
    expect(drain.isDraining).toBe(true);
    for (const path of ['/fast', '/broken', '/nowhere']) expect((await call(path)).connection).toBe('close');
  });

  it('finishes a pending response and then closes its connection', async () => {
    const answer = call('/slow');
    await slowArrived;
    drain.begin();
    finishSlow();
    expect(await answer).toEqual({ connection: 'close', text: '{"slow":true}' });
  });

  it('closes the server despite idle keep-alive connections and answers the pending request', async () => {
    await call('/fast');
    const answer = call('/slow');
    await slowArrived;
    drain.begin();
    const closed = drain.close(LIMIT_MS);
    finishSlow();
    expect((await answer).text).toBe('{"slow":true}');
    expect(await closed).toBe(true);
    await expect(call('/fast')).rejects.toThrow();
  });

  it('does not reset connections in the accept queue', async () => {
    const sockets = Array.from({ length: QUEUED }, () => connect(port, '127.0.0.1'));
    const answers = sockets.map((socket) => text(socket.end('GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n')));
    // By now the kernel has opened all connections and the event loop has not accepted any of them.
    await Promise.resolve();
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const closed = drain.close(LIMIT_MS);
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"fast":true/);
    expect(await closed).toBe(true);
  });

  it('answers a request that a busy process reads after the time of its checks', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    const { setTimeout: afterTimers } = globalThis;
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate', 'performance', 'Date'] });
    const closed = drain.close(LIMIT_MS);
    while (server.server.listening) await new Promise(setImmediate);
    // Checks that see the same number of bytes before the event loop has read the request.
    await new Promise<void>((resolve) => {
      afterTimers(() => {
        socket.write('GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n');
        jest.advanceTimersByTime(BUSY_MS);
        resolve();
      }, 0);
    });
    jest.useRealTimers();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"fast":true/);
    expect(await closed).toBe(true);
  });

  it('leaves silent connections open that left HTTP, and says when they must end', async () => {
    let tunnel: Socket | undefined;
    server.server.on('upgrade', (_request, socket: Socket) => {
      drain.addTunnel((tunnel = socket));
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(client, 'data');
    const silent = connect(port, '127.0.0.1');
    await once(server.server, 'connection');
    drain.begin();
    expect(drain.closing.aborted).toBe(false);
    const closed = drain.close(LIMIT_MS);
    // The connection without a request closes as an idle one.
    await once(silent, 'close');
    expect([drain.closing.aborted, tunnel?.destroyed]).toEqual([true, false]);
    tunnel?.end();
    expect(await closed).toBe(true);
  });

  it('closes connections that left HTTP at the time limit', async () => {
    server.server.on('upgrade', (_request, socket: Socket) => {
      drain.addTunnel(socket);
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(client, 'data');
    const ended = once(client, 'close');
    expect(await drain.close(0)).toBe(false);
    await ended;
  });

  it('serves a request that arrives on an open connection after the listener has closed', async () => {
    const socket = connect(port, '127.0.0.1');
    const received = text(socket);
    await once(server.server, 'connection');
    const closed = drain.close(LIMIT_MS);
    while (server.server.listening) await new Promise(setImmediate);
    socket.write('GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*"fast":true/i);
    expect(await closed).toBe(true);
  });
});
