import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type Settings } from 'node:http2';
import {
  type AddressInfo,
  connect as connectTcp,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Http2Limits, Http2Visitors } from './http2-visitors';

/** Longer than a test: what waits for it fails. */
const NEVER_MS = 600_000;
const HOST = 'shop.test';

let server: Server;
let listener: TcpServer;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
const sessions: ClientHttp2Session[] = [];
const sockets = new Set<Socket>();

/** Visitors without TLS, which the limits do not depend on. */
async function open(limits: Partial<Http2Limits>): Promise<void> {
  const visitors = new Http2Visitors(server, {
    keepAliveMs: NEVER_MS,
    stalledMs: NEVER_MS,
    pingMs: NEVER_MS,
    ...limits,
  });
  listener = createTcpServer((socket) => {
    sockets.add(socket);
    visitors.accept(socket as TLSSocket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
}

async function visit(settings: Settings = {}): Promise<ClientHttp2Session> {
  const session = connect(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`, { settings });
  session.on('error', () => undefined);
  sessions.push(session);
  await once(session, 'localSettings');
  return session;
}

function ask(session: ClientHttp2Session, method = 'GET', { endStream = true } = {}): ClientHttp2Stream {
  const stream = session.request({ ':method': method, ':authority': HOST }, { endStream });
  stream.on('error', () => undefined);
  return stream;
}

/** Waits for the end of a stream, by an error or not. */
const endOf = (stream: ClientHttp2Stream) => new Promise((resolve) => stream.once('close', resolve));

/** The next request, as its server sees it. */
const nextExchange = () =>
  new Promise<{ request: IncomingMessage; response: ServerResponse }>((resolve) => {
    const current = handle;
    handle = (request, response) => {
      resolve({ request, response });
      current(request, response);
    };
  });

beforeEach(() => {
  handle = () => undefined;
  server = createServer((request, response) => handle(request, response));
  // What the termination emits for each connection.
  server.on('secureConnection', (socket) => server.emit('connection', socket));
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  server.closeAllConnections();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  listener.close();
  await once(listener, 'close');
});

describe('visitors by HTTP/2 who hold resources', () => {
  it('lose a response that they do not read after its server has finished', async () => {
    await open({ stalledMs: 20 });
    handle = (request, response) => {
      // Servers of apps have no limit for idle connections.
      request.socket.setTimeout(0);
      response.end('x'.repeat(10_000));
    };
    const stream = ask(await visit({ initialWindowSize: 0 }));
    await endOf(stream);
    expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
  });

  it('lose a large response whose server gave up', async () => {
    await open({ stalledMs: 20 });
    const exchange = nextExchange();
    handle = ((inner) => (request, response) => {
      inner(request, response);
      response.write(Buffer.alloc(1_000_000));
    })(handle);
    const stream = ask(await visit({ initialWindowSize: 0 }));
    await once(stream, 'response');
    // Until nothing more is read from the server.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    (await exchange).request.socket.destroy();
    await endOf(stream);
    expect([constants.NGHTTP2_CANCEL, constants.NGHTTP2_INTERNAL_ERROR]).toContain(stream.rstCode);
  });

  it.each([
    ['HEAD', 200],
    ['POST', 204],
    ['POST', 304],
  ])('end %s with %i without the end of their body', async (method, status) => {
    await open({});
    handle = (_, response) => void response.writeHead(status).end();
    const stream = ask(await visit(), method, { endStream: false });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(status);
    stream.resume();
    await endOf(stream);
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });

  it('lose a session that is idle after a request', async () => {
    await open({ keepAliveMs: 100 });
    handle = (_, response) => void response.end();
    const session = await visit();
    const ended = once(session, 'close');
    ask(session).resume();
    await ended;
  });

  it('lose a session when they give no sign of life', async () => {
    await open({ pingMs: 20 });
    const socket = connectTcp((listener.address() as AddressInfo).port, '127.0.0.1');
    // The preface and empty settings, and no answer to a PING.
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
    await once(socket.resume(), 'close');
    // This one answers.
    const session = await visit();
    handle = (_, response) => void response.end();
    for (let count = 0; count < 50; count += 1) {
      const stream = ask(session);
      stream.resume();
      await endOf(stream);
    }
    expect(session.destroyed).toBe(false);
  });

  it('leave nothing behind when they leave during an upload that is not read', async () => {
    await open({});
    const exchange = nextExchange();
    const session = await visit();
    ask(session, 'POST', { endStream: false }).write(Buffer.alloc(200_000));
    const { request, response } = await exchange;
    await once(request, 'readable');
    const closed = once(response, 'close');
    session.destroy();
    await closed;
    expect(request.socket.destroyed).toBe(true);
  });

  it('can send no more than a quarter of a MiB of an upload that is not read', async () => {
    await open({});
    const session = await visit();
    expect(session.remoteSettings.initialWindowSize).toBe(256 * 1024);
  });
});

describe('requests by HTTP/2', () => {
  it('reach the server before their body', async () => {
    await open({});
    handle = (_, response) => void response.writeHead(401).end('who?');
    const stream = ask(await visit(), 'POST', { endStream: false });
    const [headers] = await once(stream, 'response');
    expect([headers[':status'], await text(stream)]).toEqual([401, 'who?']);
  });

  it('may have many fields, as browsers send a field for each cookie', async () => {
    await open({});
    handle = (request, response) => response.end(request.headers.cookie);
    const cookies = Array.from({ length: 180 }, (_, at) => `c${at}=v`);
    const stream = (await visit()).request({ ':authority': HOST, cookie: cookies });
    expect(await text(stream)).toBe(cookies.join('; '));
  });

  it.each(['http://other.test/', 'page'])('are rejected when their path is %s', async (path) => {
    await open({});
    handle = (_, response) => void response.end();
    // nghttp2 checks the path for http and https alone.
    const stream = (await visit()).request({ ':scheme': 'other', ':authority': HOST, ':path': path });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(400);
    stream.resume();
  });

  it('get fields that are named like properties of objects', async () => {
    await open({});
    handle = (_, response) => void response.writeHead(200, ['constructor', 'x']).end();
    const stream = ask(await visit());
    const [headers] = await once(stream, 'response');
    expect(headers.constructor).toBe('x');
    stream.resume();
  });
});
