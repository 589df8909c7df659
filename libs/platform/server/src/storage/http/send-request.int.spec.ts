import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent } from 'undici';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../../blobs/blobs.errors';
import { blobErrors } from '../s3-blob-errors';
import { BODY_IDLE_TIMEOUT_MS } from '../storage-timeouts';
import { sendRequest, type SendRequestOptions } from './send-request';

const KIB = 1024;
const MIB = 1024 * KIB;
const LIMIT_MS = 1_000;

let server: Server;
let origin: string;
let agent: Agent;
let handler: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => handler(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  // Only the timeouts are faked; nothing here waits for a real clock.
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

const sendGet = (more: Partial<SendRequestOptions> = {}) =>
  sendRequest(agent, {
    origin,
    path: '/',
    method: 'GET',
    buffering: 'small',
    limitMs: LIMIT_MS,
    errors: blobErrors,
    ...more,
  });
const requestStream = async (more: Partial<SendRequestOptions> = {}) => {
  const { body } = await sendGet(more);
  if (Buffer.isBuffer(body)) throw new Error('the response is buffered');
  return body;
};
const respondWith = (body: Buffer, status = 200): void => {
  handler = (_request, response) => response.writeHead(status, { 'content-length': body.length }).end(body);
};
/** Replies and resolves when the connection closes. */
const closedAfter = (reply: (response: ServerResponse) => void) =>
  new Promise<void>((resolve) => {
    handler = (request, response) => {
      request.socket.once('close', () => resolve());
      reply(response);
    };
  });
const writeEndlessly = (response: ServerResponse) => {
  const more = () => void (response.destroyed || response.write(Buffer.alloc(MIB), more));
  more();
};

describe('sendRequest', () => {
  it('buffers a small object and streams a larger one', async () => {
    respondWith(Buffer.alloc(64 * KIB, 'a'));
    expect((await sendGet()).body).toEqual(Buffer.alloc(64 * KIB, 'a'));
    respondWith(Buffer.alloc(64 * KIB + 1, 'b'));
    expect(Buffer.concat(await (await requestStream()).toArray())).toEqual(Buffer.alloc(64 * KIB + 1, 'b'));
    expect((await sendGet({ buffering: 'always' })).body).toHaveLength(64 * KIB + 1);
    respondWith(Buffer.from('c'));
    expect(Buffer.concat(await (await requestStream({ buffering: 'never' })).toArray())).toEqual(Buffer.from('c'));
  });

  it.each([304, 403, 500])('buffers a response with status %d, with or without a declared length', async (status) => {
    handler = (_request, response) => response.writeHead(status).end(status === 304 ? undefined : 'why');
    expect(await sendGet()).toMatchObject({ statusCode: status, body: Buffer.from(status === 304 ? '' : 'why') });
  });

  it('applies back pressure to a large object', async () => {
    const all = 64;
    let taken = 0;
    handler = (_request, response) => {
      const pieces = function* () {
        for (; taken < all; taken += 1) yield Buffer.alloc(MIB, taken);
      };
      Readable.from(pieces(), { highWaterMark: 1 }).pipe(response.writeHead(200, { 'content-length': all * MIB }));
    };
    const body = await requestStream();
    // Time for the buffers of the connection to fill.
    for (let turns = 0; turns < 2_000 && taken < all; turns += 1) await nextTurn();
    expect(taken).toBeLessThan(all);
    expect(body.readableLength).toBeLessThan(MIB);
    let size = 0;
    for await (const chunk of body) size += (chunk as Buffer).length;
    expect([size, taken]).toEqual([all * MIB, all]);
  });

  it('closes the connection when the reader destroys the stream', async () => {
    const closed = closedAfter(writeEndlessly);
    const body = await requestStream();
    body.destroy();
    await closed;
    expect(body.errored).toBeNull();
  });

  it('closes the connection when the caller aborts, before and during the response', async () => {
    const caller = new AbortController();
    let closed = closedAfter(() => caller.abort());
    await expect(sendGet({ signal: caller.signal })).rejects.toThrow('the caller aborted');
    await closed;
    closed = closedAfter(writeEndlessly);
    const laterCaller = new AbortController();
    const body = await requestStream({ signal: laterCaller.signal });
    laterCaller.abort();
    await expect(body.toArray()).rejects.toThrow(BlobStorageUnavailable);
    await closed;
  });

  it('sends no request when the signal is already aborted', async () => {
    let received = 0;
    handler = (_request, response) => {
      received += 1;
      response.end();
    };
    await expect(sendGet({ signal: AbortSignal.abort() })).rejects.toThrow('the caller aborted');
    await sendGet();
    expect(received).toBe(1);
  });

  it('removes its listener and timer after the response', async () => {
    const caller = new AbortController();
    const stopped = jest.spyOn(caller.signal, 'removeEventListener');
    respondWith(Buffer.from('x'));
    await sendGet({ signal: caller.signal });
    expect(stopped).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([
    ['an error', 500, 'small' as const],
    ['a list', 200, 'always' as const],
  ])('rejects %s that exceeds the buffer limit', async (_what, status, buffering) => {
    const closed = closedAfter((response) => writeEndlessly(response.writeHead(status)));
    await expect(sendGet({ buffering })).rejects.toBeInstanceOf(BlobStorageFailed);
    await closed;
  });

  it.each([
    ['of known length', { 'content-length': 2 * MIB }],
    ['of unknown length', {}],
  ])('fails the stream of an object %s when the connection breaks, without an end event', async (_length, headers) => {
    handler = (_request, response) =>
      response.writeHead(200, headers).write(Buffer.alloc(MIB), () => response.socket?.destroy());
    const body = await requestStream();
    const ended = jest.fn();
    body.on('end', ended);
    await expect(body.toArray()).rejects.toBeInstanceOf(BlobStorageUnavailable);
    expect(ended).not.toHaveBeenCalled();
  });

  it('survives a connection that breaks before the stream is read', async () => {
    handler = (_request, response) =>
      response.writeHead(200).write(Buffer.alloc(100), () => response.socket?.destroy());
    const body = await requestStream();
    await new Promise((resolve) => body.once('close', resolve));
    expect(body.errored).toBeInstanceOf(BlobStorageUnavailable);
  });

  it('rejects a response that breaks while it is buffered', async () => {
    handler = (_request, response) =>
      response.writeHead(200, { 'content-length': 10 }).write('half', () => response.socket?.destroy());
    await expect(sendGet()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });
});

describe('the timeout of sendRequest', () => {
  it.each([
    ['does not respond', () => undefined],
    ['stops during a buffered response', (response: ServerResponse) => void response.writeHead(500).write('half')],
  ])('rejects when storage %s', async (_words, reply) => {
    let closed: Promise<void> | undefined;
    const received = new Promise<void>((resolve) => {
      closed = closedAfter((response) => {
        reply(response);
        resolve();
      });
    });
    const answered = sendGet();
    await received;
    jest.advanceTimersByTime(LIMIT_MS - 1);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(1);
    await expect(answered).rejects.toBeInstanceOf(BlobStorageTimeout);
    await closed;
  });

  it('ends when a streamed object starts', async () => {
    let end = (): void => undefined;
    handler = (_request, response) => {
      response.writeHead(200).write(Buffer.alloc(KIB));
      end = () => response.end();
    };
    const body = await requestStream();
    jest.advanceTimersByTime(LIMIT_MS);
    end();
    expect(Buffer.concat(await body.toArray())).toHaveLength(KIB);
  });

  it('restarts for a stream, and fails one that stalls', async () => {
    let response: ServerResponse | undefined;
    handler = (_request, given) => {
      response = given.writeHead(200);
      response.write('a');
    };
    const body = await requestStream({ buffering: 'never' });
    await once(body, 'readable');
    jest.advanceTimersByTime(BODY_IDLE_TIMEOUT_MS - 1);
    expect(String(body.read())).toBe('a');
    response?.write('b');
    await once(body, 'readable');
    jest.advanceTimersByTime(BODY_IDLE_TIMEOUT_MS - 1);
    expect(body.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    await expect(body.toArray()).rejects.toBeInstanceOf(BlobStorageTimeout);
  });

  it('does not count the time of a slow reader', async () => {
    const all = 4 * MIB;
    handler = (_request, response) => response.writeHead(200, { 'content-length': all }).end(Buffer.alloc(all));
    const body = await requestStream();
    while (jest.getTimerCount() > 0) await nextTurn();
    jest.advanceTimersByTime(10 * BODY_IDLE_TIMEOUT_MS);
    expect(Buffer.concat(await body.toArray())).toHaveLength(all);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('includes the wait for a connection, and never sends a request that timed out', async () => {
    const received: (string | undefined)[] = [];
    const first = new Promise<ServerResponse>((resolve) => {
      handler = (request, response) => {
        received.push(request.url);
        if (request.url === '/first') resolve(response);
        else response.end();
      };
    });
    const slow = sendGet({ path: '/first', limitMs: 2 * LIMIT_MS });
    const response = await first;
    const waiting = sendGet({ path: '/second' });
    jest.advanceTimersByTime(LIMIT_MS);
    await expect(waiting).rejects.toBeInstanceOf(BlobStorageTimeout);
    response.end();
    await slow;
    await sendGet({ path: '/third' });
    expect(received).toEqual(['/first', '/third']);
  });
});
