import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable } from '../../blobs/blobs.errors';
import { blobErrors } from '../s3-blob-errors';
import { RESPONSE_TIMEOUT_MS } from '../storage-timeouts';
import { S3HttpClient, type S3Request } from './s3-http-client';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const status =
  (code: number, body?: string): Reply =>
  (_request, response) =>
    response.writeHead(code).end(body);
const broken: Reply = (request) => request.socket.destroy();
const HEAD: S3Request = { method: 'HEAD', key: 'a' };

describe('S3HttpClient', () => {
  let server: Server;
  let client: S3HttpClient;
  /** The replies to the next requests, in order. */
  let replies: Reply[];
  let received: { request: string; port: number | undefined; connection: string | undefined }[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push({
        request: `${request.method} ${request.url}`,
        port: request.socket.remotePort,
        connection: request.headers.connection,
      });
      const reply = replies.shift();
      request.resume().once('end', () => reply?.(request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(() => {
    received = [];
    replies = [];
    const options = {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket: 'bucket',
      region: 'eu-west-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    };
    client = new S3HttpClient(options, blobErrors);
  });

  afterEach(() => {
    jest.useRealTimers();
    server.closeAllConnections();
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  it('retries once over a new connection when a pooled connection is closed', async () => {
    replies = [status(200), broken, status(200)];
    expect(await client.send(HEAD)).toMatchObject({ statusCode: 200, isRetry: false });
    // The connection is free only after this turn.
    await nextTurn();
    expect(await client.send(HEAD)).toMatchObject({ statusCode: 200, isRetry: true });
    const [first, second, third] = received;
    expect(second?.port).toBe(first?.port);
    expect(third?.port).not.toBe(first?.port);
    expect(third?.connection).toBe('close');
  });

  it.each([500, 502, 503, 504])('retries once when the status is %d', async (code) => {
    replies = [status(code), status(204), status(code), status(code)];
    expect(await client.send({ method: 'DELETE', key: 'a' })).toMatchObject({ statusCode: 204, isRetry: true });
    expect(await client.send({ method: 'DELETE', key: 'a' })).toMatchObject({ statusCode: code, isRetry: true });
    expect(received).toHaveLength(4);
  });

  it.each(['If-Match', 'if-none-match'])(
    'returns a transient failure of a write with %s without a retry',
    async (name) => {
      replies = [status(503)];
      const write = { method: 'PUT', key: 'a', body: Buffer.from('x'), headers: { [name]: '*' } } as const;
      expect(await client.send(write)).toMatchObject({ statusCode: 503, isRetry: false });
      expect(received).toHaveLength(1);
    },
  );

  it.each([403, 404, 412, 429])('returns a response with status %d without a retry', async (code) => {
    replies = [status(code)];
    expect(await client.send(HEAD)).toMatchObject({ statusCode: code, isRetry: false });
    expect(received).toHaveLength(1);
  });

  it('does not retry twice', async () => {
    replies = [broken, broken, status(200)];
    await expect(client.send(HEAD)).rejects.toBeInstanceOf(BlobStorageUnavailable);
    expect(received).toHaveLength(2);
  });

  it('does not retry after a timeout, and applies one timeout to both attempts', async () => {
    // Only the timeouts are faked; nothing here waits for a real clock.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date'] });
    const nextRequest = () => new Promise<IncomingMessage>((resolve) => replies.push(resolve));
    const silent = nextRequest();
    const first = client.send(HEAD);
    await silent;
    jest.advanceTimersByTime(RESPONSE_TIMEOUT_MS);
    await expect(first).rejects.toBeInstanceOf(BlobStorageTimeout);
    expect(received).toHaveLength(1);

    const late = nextRequest();
    const silentAgain = nextRequest();
    const second = client.send(HEAD);
    const { socket } = await late;
    jest.advanceTimersByTime(RESPONSE_TIMEOUT_MS - 1_000);
    socket.destroy();
    await silentAgain;
    jest.advanceTimersByTime(1_000);
    await expect(second).rejects.toBeInstanceOf(BlobStorageTimeout);
    expect(received).toHaveLength(3);
  });

  it('rejects a successful response to a write that has a body', async () => {
    replies = [status(200, '<html>'), status(200, '<html>'), status(200, 'hello')];
    for (const request of [
      { method: 'PUT', key: 'a', body: Buffer.from('a') },
      { method: 'DELETE', key: 'a' },
    ] as const)
      await expect(client.send(request)).rejects.toBeInstanceOf(BlobStorageFailed);
    expect(await client.send({ method: 'GET', key: 'a', buffering: 'always' })).toMatchObject({
      body: Buffer.from('hello'),
    });
    expect(received).toHaveLength(3);
  });

  it('encodes keys, and sends the query as it is', async () => {
    replies = [status(200), status(200)];
    await client.send({ method: 'GET', key: 'a b/ü+(1)' });
    await client.send({ method: 'GET', key: '', query: 'list-type=2&prefix=a%20b' });
    expect(received.map(({ request }) => request)).toEqual([
      'GET /bucket/a%20b/%C3%BC%2B%281%29',
      'GET /bucket/?list-type=2&prefix=a%20b',
    ]);
  });
});
