import { RESPONSE_TIMEOUT_MS, BODY_IDLE_TIMEOUT_MS, WRITE_TIMEOUT_MS } from './storage-timeouts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { blobKey } from '../blobs/blob-key';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../blobs/blobs.errors';
import { S3BlobStore } from './s3-blob-store';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const KEY = blobKey('northwind', hash('sha256', 'hello'), randomUUID());
const BYTES = Buffer.from('hello');

const status =
  (code: number): Reply =>
  (_request, response) =>
    response.writeHead(code).end();
const broken: Reply = (request) => request.socket.destroy();
/** Declares more bytes than it sends. */
const half: Reply = (_request, response) => response.writeHead(200, { 'content-length': 10 }).write(BYTES);

describe('S3BlobStore on a storage that fails', () => {
  const never = new AbortController().signal;
  let server: Server;
  let store: S3BlobStore;
  /** Handles every request. */
  let reply: Reply;
  let requests: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.method as string);
      request.on('error', () => undefined);
      request.resume().once('end', () => reply(request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(() => {
    requests = [];
    store = new S3BlobStore({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket: 'bucket',
      region: 'eu-west-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
  });

  afterEach(() => {
    jest.useRealTimers();
    server.closeAllConnections();
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  /** Fakes only timers. The tests do not depend on the clock. */
  const useFakeTimers = () =>
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date'] });
  const reached = () => new Promise<IncomingMessage>((resolve) => (reply = resolve));
  const source = () => ({ stream: Readable.from([BYTES], { objectMode: false }), size: BYTES.length });
  const opened = async (signal = never) => (await store.open(KEY, 'br', { signal })) as Readable;

  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    'a read': opened,
    'a removal': () => store.remove(KEY),
    'a write of a buffer': () => store.put(KEY, 'br', BYTES, never),
    'a write of a stream': () => store.put(KEY, 'br', source(), never),
    'a readiness check': () => store.ready(never),
  };

  describe.each(Object.keys(operations))('%s', (name) => {
    const operation = operations[name] as () => Promise<unknown>;

    it.each([
      ['rejected', status(403), BlobStorageFailed],
      ['answered with 503', status(503), BlobStorageUnavailable],
      ['disconnected', broken, BlobStorageUnavailable],
    ])('fails when it is %s', async (_how, given, named) => {
      reply = given;
      await expect(operation()).rejects.toBeInstanceOf(named);
    });

    it('times out', async () => {
      useFakeTimers();
      const silent = reached();
      const asking = operation().catch((error: unknown) => error);
      await silent;
      jest.advanceTimersByTime(name.startsWith('a write') ? WRITE_TIMEOUT_MS : RESPONSE_TIMEOUT_MS);
      expect(await asking).toBeInstanceOf(BlobStorageTimeout);
    });
  });

  it('retries a repeatable body once, and a stream never', async () => {
    reply = broken;
    await expect(opened()).rejects.toThrow();
    await expect(store.put(KEY, 'br', BYTES, never)).rejects.toThrow();
    expect(requests).toEqual(['GET', 'GET', 'PUT', 'PUT']);
    const unread = source();
    await expect(store.put(KEY, 'br', unread, never)).rejects.toThrow();
    expect(requests).toHaveLength(5);
    expect(unread.stream.destroyed).toBe(true);
  });

  it.each([
    ['the connection breaks', broken],
    ['the status is 503', status(503)],
  ])('succeeds with the retry when %s', async (_what, failed) => {
    const replies = [failed];
    reply = (request, response) => (replies.shift() ?? status(request.method === 'GET' ? 200 : 204))(request, response);
    expect(await (await opened()).toArray()).toEqual([]);
    replies.push(failed);
    await store.put(KEY, 'br', BYTES, never);
    replies.push(failed);
    await store.remove(KEY);
    expect(requests.slice(0, 4)).toEqual(['GET', 'GET', 'PUT', 'PUT']);
    expect(requests.slice(4)).toEqual(Array.from({ length: 4 }, () => 'DELETE'));
  });

  it('rejects a write that another server has acknowledged', async () => {
    reply = (_request, response) => response.writeHead(200).end('<html>');
    await expect(store.put(KEY, 'br', BYTES, never)).rejects.toBeInstanceOf(BlobStorageFailed);
  });

  it('is ready when it may read, and an absent object is absent', async () => {
    const answered = (code: number, body: string): Reply => {
      return (_request, response) => response.writeHead(code).end(body);
    };
    reply = answered(404, '<Error><Code>NoSuchKey</Code></Error>');
    await expect(store.ready(never)).resolves.toBeUndefined();
    expect(requests).toEqual(['GET']);
    reply = answered(200, '<html>');
    await expect(store.ready(never)).rejects.toBeInstanceOf(BlobStorageFailed);
    reply = answered(404, '<Error><Code>NoSuchBucket</Code></Error>');
    await expect(store.ready(never)).rejects.toThrow();
    reply = answered(403, '<Error><Code>AccessDenied</Code></Error>');
    await expect(store.ready(never)).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'AccessDenied' }) }),
    );
  });

  it('finds no blob only when the object is absent', async () => {
    const absent = (code: string): Reply => {
      return (_request, response) => response.writeHead(404).end(`<Error><Code>${code}</Code></Error>`);
    };
    reply = absent('NoSuchKey');
    expect(await store.open(KEY, 'br', { signal: never })).toBeUndefined();
    await store.remove(KEY);
    reply = absent('NoSuchBucket');
    await expect(opened()).rejects.toBeInstanceOf(BlobStorageFailed);
    await expect(store.remove(KEY)).rejects.toBeInstanceOf(BlobStorageFailed);
  });

  it('rejects a response without the requested range', async () => {
    reply = (_request, response) => response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES);
    const range = { first: 1, last: 2 };
    await expect(store.open(KEY, 'br', { range, signal: never })).rejects.toBeInstanceOf(BlobStorageFailed);
  });

  it('fails a body whose connection closes', async () => {
    reply = half;
    const body = await opened();
    await once(body, 'readable');
    server.closeAllConnections();
    await expect(body.toArray()).rejects.toBeInstanceOf(BlobStorageUnavailable);
  });

  it('fails a body that stalls', async () => {
    useFakeTimers();
    reply = half;
    const reading = (await opened()).toArray().catch((error: unknown) => error);
    // Wait until the read waits for the missing bytes.
    while (jest.getTimerCount() === 0) await new Promise(setImmediate);
    jest.advanceTimersByTime(BODY_IDLE_TIMEOUT_MS);
    expect(await reading).toBeInstanceOf(BlobStorageTimeout);
  });

  it('ends a stalled body when the client aborts', async () => {
    useFakeTimers();
    reply = half;
    const client = new AbortController();
    const body = await opened(client.signal);
    await once(body, 'readable');
    const reading = body.toArray();
    client.abort();
    await expect(reading).rejects.toThrow();
  });
});
