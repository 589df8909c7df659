import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryBudget } from '../../application/memory-budget';
import { PreconditionFailed } from '../../domain/files.errors';
import { workspaceKey, workspaceRoot } from '../../domain/workspace-key';
import { S3ObjectStore } from './s3-object-store';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const KEY = workspaceKey(workspaceRoot({ issuer: 'https://issuer.example', subject: 'ada' }), 'a');
const BODY = Buffer.from('hello');
const ETAG = `"${hash('md5', BODY)}"`;
const LAST_MODIFIED = new Date(0).toUTCString();

const found: Reply = (_request, response) =>
  response.writeHead(200, { etag: ETAG, 'last-modified': LAST_MODIFIED, 'content-length': BODY.length }).end();
const stored: Reply = (_request, response) =>
  response.writeHead(200, { etag: ETAG, 'last-modified': LAST_MODIFIED }).end();
const refused: Reply = (_request, response) => response.writeHead(412).end();
const broken: Reply = (request) => request.socket.destroy();

describe('S3ObjectStore on broken connections', () => {
  let server: Server;
  let store: S3ObjectStore;
  /** The replies to the next requests, in order. */
  let replies: Reply[];
  /** The methods of all requests. */
  let received: (string | undefined)[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push(request.method);
      const reply = replies.shift();
      request.resume().once('end', () => reply?.(request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(() => {
    received = [];
    store = new S3ObjectStore(
      {
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        bucket: 'bucket',
        region: 'eu-west-1',
        forcePathStyle: true,
        credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      },
      new MemoryBudget(0),
    );
  });

  afterEach(() => {
    server.closeAllConnections();
  });

  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
  });

  const put = () =>
    store.put(KEY, {
      body: BODY,
      contentType: 'text/plain',
      condition: undefined,
      signal: new AbortController().signal,
    });

  it('retries a write, and treats it as successful when the first attempt was stored', async () => {
    replies = [broken, stored];
    expect(await put()).toMatchObject({ etag: ETAG });
    replies = [broken, refused, found];
    expect(await put()).toMatchObject({ etag: ETAG, size: BODY.length });
    expect(received).toEqual(['PUT', 'PUT', 'PUT', 'PUT', 'HEAD']);
  });

  it('rejects a write when another writer has stored the file', async () => {
    const theirs: Reply = (_request, response) =>
      response.writeHead(200, { etag: '"theirs"', 'last-modified': LAST_MODIFIED, 'content-length': 1 }).end();
    replies = [broken, refused, theirs, theirs];
    await expect(put()).rejects.toMatchObject({ name: PreconditionFailed.name, etag: '"theirs"' });
    replies = [refused, found];
    await expect(put()).rejects.toBeInstanceOf(PreconditionFailed);
  });
});
