import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestAuthority } from '../../../testing/test-authority';
import { type CreateServer, EdgeServer } from './edge-server';

const LIMIT_MS = 25_000;
const REQUEST = 'GET / HTTP/1.1\r\nHost: shop\r\n\r\n';

const HOST = 'shop.test';
const AUTHORITY = new TestAuthority();
const { chain: cert, key } = AUTHORITY.issue([HOST]);
const createTlsServer: CreateServer = (options, handle) => createHttpsServer({ ...options, cert, key }, handle);

let server: EdgeServer;
let port: number;
let answers: ServerResponse[];
let isSecure = false;

async function open(createServer?: CreateServer): Promise<void> {
  answers = [];
  isSecure = createServer !== undefined;
  server = new EdgeServer((_request, response) => void answers.push(response), { createServer });
  port = await server.listen(0, '127.0.0.1');
}

async function connected(sent = ''): Promise<Socket> {
  const at = { port, host: '127.0.0.1' };
  const socket = isSecure ? connectSecurely({ ...at, ca: AUTHORITY.root, servername: HOST }) : connect(at);
  await once(socket, isSecure ? 'secureConnect' : 'connect');
  socket.write(sent);
  return socket;
}

async function answerOn({ localPort }: Socket): Promise<ServerResponse> {
  for (;;) {
    const answer = answers.find(({ req }) => req.socket.remotePort === localPort);
    if (answer) return answer;
    await new Promise(setImmediate);
  }
}

/** An idle connection that the server has accepted: it has received a request on a later one. */
async function idleConnection(sent?: string): Promise<Socket> {
  const socket = await connected(sent);
  const other = await connected(REQUEST);
  await answerOn(other);
  other.destroy();
  return socket;
}

describe.each([
  ['HTTP', undefined],
  ['HTTPS', createTlsServer],
])('EdgeServer with %s', (_, createServer) => {
  beforeEach(() => open(createServer));
  afterEach(() => server.close(0));

  describe('requests', () => {
    it('answers a request with several Host headers with 400 and does not call the handler', async () => {
      const socket = await connected('GET / HTTP/1.1\r\nHost: shop\r\nHost: other\r\n\r\n');
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\nConnection: close\r\n/);
      expect(answers).toEqual([]);
    });

    it('detects a second Host after 1,100 other headers', async () => {
      const socket = await connected(`GET / HTTP/1.1\r\nHost: shop\r\n${'a:b\r\n'.repeat(1_100)}Host: other\r\n\r\n`);
      const closed = text(socket);
      const other = await connected(REQUEST);
      (await answerOn(other)).end();
      other.destroy();
      expect(answers.map(({ req }) => req.socket.remotePort)).not.toContain(socket.localPort);
      expect(await closed).toMatch(/^HTTP\/1\.1 400 /);
    });

    it('ignores a protocol upgrade and serves the requests that follow', async () => {
      const socket = await connected(
        `GET / HTTP/1.1\r\nHost: shop\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${REQUEST}`,
      );
      (await answerOn(socket)).end();
      while (answers.length < 2) await new Promise(setImmediate);
      expect(answers.map(({ req }) => req.headers.upgrade)).toEqual([undefined, undefined]);
      socket.destroy();
    });
  });

  describe('when it closes', () => {
    it('does not wait for a connection without a request', async () => {
      const socket = await idleConnection();
      const ended = once(socket, 'close');
      expect(await server.close(LIMIT_MS)).toBe(true);
      await ended;
    });

    it('does not wait for a connection with an incomplete head', async () => {
      const socket = await idleConnection('GET / HTTP/1.1\r\nHo');
      const ended = once(socket, 'close');
      expect(await server.close(LIMIT_MS)).toBe(true);
      await ended;
    });

    it('sends a response completely that ends during the shutdown', async () => {
      const socket = await connected(REQUEST);
      const answer = await answerOn(socket);
      answer.writeHead(200, ['Content-Length', '8']).write('half');
      const read = text(socket);
      const closed = server.close(LIMIT_MS);
      answer.end('half');
      expect(await closed).toBe(true);
      expect(await read).toMatch(/\r\n\r\nhalfhalf$/);
    });

    it('closes connections after their response from then on', async () => {
      const socket = await idleConnection();
      server.beginDraining();
      socket.write(REQUEST);
      const read = text(socket);
      (await answerOn(socket)).end();
      expect(await read).toMatch(/\r\nConnection: close\r\n/);
    });

    it('closes remaining connections at the time limit', async () => {
      const socket = await connected(REQUEST);
      await answerOn(socket);
      const ended = once(socket, 'close');
      expect(await server.close(0)).toBe(false);
      await ended;
    });
  });
});
