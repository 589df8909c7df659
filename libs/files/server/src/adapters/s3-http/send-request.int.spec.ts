import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent } from 'undici';
import { StorageFailed, StorageTimeout, StorageUnavailable } from '../../domain/files.errors';
import { sendRequest, type SendRequestOptions } from './send-request';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT_MS = 1_000;

let server: Server;
let origin: string;
let agent: Agent;
let answer: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  // Of the limits alone: nothing here waits for a clock.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'] });
  agent = new Agent({ connections: 1, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
});

afterEach(async () => {
  await agent.destroy();
  server.closeAllConnections();
  jest.useRealTimers();
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const ask = (more: Partial<SendRequestOptions> = {}) =>
  sendRequest(agent, { origin, path: '/', method: 'GET', isBodyBuffered: false, limitMs: LIMIT_MS, ...more });
const askForStream = async (more: Partial<SendRequestOptions> = {}) => {
  const { body } = await ask(more);
  if (Buffer.isBuffer(body)) throw new Error('the answer is held');
  return body;
};
const answers = (body: Buffer, status = 200): void => {
  answer = (_request, response) => response.writeHead(status, { 'content-length': body.length }).end(body);
};
/** Answers with that and tells when the connection is gone. */
const closedAfter = (reply: (response: ServerResponse) => void) =>
  new Promise<void>((resolve) => {
    answer = (request, response) => {
      request.socket.once('close', () => resolve());
      reply(response);
    };
  });
const endless = (response: ServerResponse) => {
  const more = () => void (response.destroyed || response.write(Buffer.alloc(MIB), more));
  more();
};

describe('exchange', () => {
  it('holds a small object and hands a larger one on as it comes', async () => {
    answers(Buffer.alloc(64 * KIB, 'a'));
    expect((await ask()).body).toEqual(Buffer.alloc(64 * KIB, 'a'));
    answers(Buffer.alloc(64 * KIB + 1, 'b'));
    expect(Buffer.concat(await (await askForStream()).toArray())).toEqual(Buffer.alloc(64 * KIB + 1, 'b'));
    expect((await ask({ isBodyBuffered: true })).body).toHaveLength(64 * KIB + 1);
  });

  it.each([304, 403, 500])('holds what comes with status %d, however it is sent', async (status) => {
    answer = (_request, response) => response.writeHead(status).end(status === 304 ? undefined : 'why');
    expect(await ask()).toMatchObject({ statusCode: status, body: Buffer.from(status === 304 ? '' : 'why') });
  });

  it('takes no more of a large object than its reader does', async () => {
    const all = 64;
    let taken = 0;
    answer = (_request, response) => {
      const pieces = function* () {
        for (; taken < all; taken += 1) yield Buffer.alloc(MIB, taken);
      };
      Readable.from(pieces(), { highWaterMark: 1 }).pipe(response.writeHead(200, { 'content-length': all * MIB }));
    };
    const body = await askForStream();
    // What the connection itself holds is on its way by then.
    for (let turns = 0; turns < 2_000 && taken < all; turns += 1) await nextTurn();
    expect(taken).toBeLessThan(all);
    expect(body.readableLength).toBeLessThan(MIB);
    let size = 0;
    for await (const chunk of body) size += (chunk as Buffer).length;
    expect([size, taken]).toEqual([all * MIB, all]);
  });

  it('lets go of the connection when the reader leaves', async () => {
    const closed = closedAfter(endless);
    const body = await askForStream();
    body.destroy();
    await closed;
    expect(body.errored).toBeNull();
  });

  it('lets go of the connection when the caller leaves, before the answer and amid it', async () => {
    const leaving = new AbortController();
    let closed = closedAfter(() => leaving.abort());
    await expect(ask({ leaving: leaving.signal })).rejects.toThrow('nobody waits');
    await closed;
    closed = closedAfter(endless);
    const leavingLater = new AbortController();
    const body = await askForStream({ leaving: leavingLater.signal });
    leavingLater.abort();
    await expect(body.toArray()).rejects.toThrow(StorageUnavailable);
    await closed;
  });

  it('asks nothing for a caller who has left already', async () => {
    let asked = 0;
    answer = (_request, response) => {
      asked += 1;
      response.end();
    };
    await expect(ask({ leaving: AbortSignal.abort() })).rejects.toThrow('nobody waits');
    await ask();
    expect(asked).toBe(1);
  });

  it('listens to the caller no longer than the answer takes', async () => {
    const leaving = new AbortController();
    const stopped = jest.spyOn(leaving.signal, 'removeEventListener');
    answers(Buffer.from('x'));
    await ask({ leaving: leaving.signal });
    expect(stopped).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['an error', 500, false],
    ['a list', 200, true],
  ])('fails on %s that has no end', async (_what, status, isBodyBuffered) => {
    const closed = closedAfter((response) => endless(response.writeHead(status)));
    await expect(ask({ isBodyBuffered })).rejects.toBeInstanceOf(StorageFailed);
    await closed;
  });

  it.each([
    ['of known length', { 'content-length': 2 * MIB }],
    ['of unknown length', {}],
  ])('fails an object %s that breaks off, and never ends it', async (_length, headers) => {
    answer = (_request, response) =>
      response.writeHead(200, headers).write(Buffer.alloc(MIB), () => response.socket?.destroy());
    const body = await askForStream();
    const ended = jest.fn();
    body.on('end', ended);
    await expect(body.toArray()).rejects.toBeInstanceOf(StorageUnavailable);
    expect(ended).not.toHaveBeenCalled();
  });

  it('survives an object that breaks off before anybody reads it', async () => {
    answer = (_request, response) => response.writeHead(200).write(Buffer.alloc(100), () => response.socket?.destroy());
    const body = await askForStream();
    await new Promise((resolve) => body.once('close', resolve));
    expect(body.errored).toBeInstanceOf(StorageUnavailable);
  });

  it('fails an answer that breaks off while it is held', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-length': 10 }).write('half', () => response.socket?.destroy());
    await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });
});

describe('the time limit of an exchange', () => {
  it.each([
    ['says nothing', () => undefined],
    ['stops amid what is held', (response: ServerResponse) => void response.writeHead(500).write('half')],
  ])('ends one whose storage %s', async (_words, reply) => {
    let closed: Promise<void> | undefined;
    const asked = new Promise<void>((resolve) => {
      closed = closedAfter((response) => {
        reply(response);
        resolve();
      });
    });
    const answered = ask();
    await asked;
    jest.advanceTimersByTime(LIMIT_MS - 1);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(1);
    await expect(answered).rejects.toBeInstanceOf(StorageTimeout);
    await closed;
  });

  it('is over once an object has begun', async () => {
    let end = (): void => undefined;
    answer = (_request, response) => {
      response.writeHead(200).write(Buffer.alloc(KIB));
      end = () => response.end();
    };
    const body = await askForStream();
    jest.advanceTimersByTime(LIMIT_MS);
    end();
    expect(Buffer.concat(await body.toArray())).toHaveLength(KIB);
  });

  it('counts the wait for a connection, and what was given up is never sent', async () => {
    const asked: (string | undefined)[] = [];
    const first = new Promise<ServerResponse>((resolve) => {
      answer = (request, response) => {
        asked.push(request.url);
        if (request.url === '/first') resolve(response);
        else response.end();
      };
    });
    const slow = ask({ path: '/first', limitMs: 2 * LIMIT_MS });
    const response = await first;
    const waiting = ask({ path: '/second' });
    jest.advanceTimersByTime(LIMIT_MS);
    await expect(waiting).rejects.toBeInstanceOf(StorageTimeout);
    response.end();
    await slow;
    await ask({ path: '/third' });
    expect(asked).toEqual(['/first', '/third']);
  });
});
