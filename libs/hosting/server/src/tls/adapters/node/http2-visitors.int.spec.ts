import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EdgeServer } from '../../../routing/adapters/http/edge-server';
import { TestAuthority } from '../../../testing/test-authority';
import { CertificateChangeFeed, CertificateDirectory } from '../../application/certificate-directory.port';
import { TlsTermination } from './tls-termination';

const AUTHORITY = new TestAuthority();
const HOST = 'shop.test';
const LIMIT_MS = 25_000;
const { chain, key } = AUTHORITY.issue([HOST]);

class OneCertificate extends CertificateDirectory {
  async findCertificate() {
    return { version: HOST, chain, key, hsts: false };
  }

  async findKeyAuthorization(): Promise<undefined> {
    return undefined;
  }
}

class NoChanges extends CertificateChangeFeed {
  readonly isConnected = true;

  listen(): void {
    // Nothing changes here.
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A server behind the termination, and a visitor by HTTP/2. */
class Visited {
  readonly termination = new TlsTermination({
    directory: new OneCertificate(),
    changes: new NoChanges(),
    ticketSecret: Buffer.alloc(32, 1),
    log: { warn: () => undefined, error: () => undefined },
  });
  readonly server: EdgeServer;
  port = 0;
  readonly #sessions: ClientHttp2Session[] = [];

  constructor(handle: Handle) {
    this.server = new EdgeServer(handle, {
      createServer: (options, listener) => this.termination.createServer(options, listener),
    });
  }

  async open(): Promise<this> {
    this.port = await this.server.listen(0, '127.0.0.1');
    return this;
  }

  async session(): Promise<ClientHttp2Session> {
    const at = `https://127.0.0.1:${this.port}`;
    const session = connect(at, { ca: AUTHORITY.root, servername: HOST });
    session.on('error', () => undefined);
    this.#sessions.push(session);
    await once(session, 'connect');
    return session;
  }

  async close(limitMs = 0): Promise<boolean> {
    const closeRemaining = this.termination.close();
    const isDone = await this.server.close(limitMs);
    closeRemaining();
    return isDone;
  }

  async end(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await this.close();
  }
}

function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders = {}, body?: string): ClientHttp2Stream {
  const stream = session.request({ ':authority': HOST, ...headers }, { endStream: body === undefined });
  stream.on('error', () => undefined);
  if (body !== undefined) stream.end(body);
  return stream;
}

async function answerOf(stream: ClientHttp2Stream) {
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  return { status: headers[':status'], headers, body: await text(stream) };
}

/** Waits for the end of a stream, by an error or not. */
const endOf = (stream: ClientHttp2Stream) => new Promise((resolve) => stream.once('close', resolve));

const visit = async (session: ClientHttp2Session, headers?: OutgoingHttpHeaders, body?: string) =>
  answerOf(ask(session, headers, body));

/** The handler of the next requests. */
let handle: Handle;
let visited: Visited;
let session: ClientHttp2Session;

beforeAll(async () => {
  visited = await new Visited((request, response) => handle(request, response)).open();
  session = await visited.session();
});
afterAll(() => visited.end());

const others: Visited[] = [];
const opened = async (serve: Handle) => {
  const other = await new Visited(serve).open();
  others.push(other);
  return other;
};
afterEach(async () => {
  for (const other of others.splice(0)) await other.end();
});

const echo: Handle = (request, response) => {
  void text(request).then((body) => {
    const { method, url, rawHeaders, socket } = request;
    const { remoteAddress, remotePort, localPort, encrypted, servername } = socket as never as Record<string, unknown>;
    const facts = { remoteAddress, remotePort, localPort, encrypted, servername };
    response.end(JSON.stringify({ method, url, rawHeaders, body, facts }));
  });
};

describe('requests by HTTP/2', () => {
  it('reach the server with their method, target, fields and the addresses of the connection', async () => {
    handle = echo;
    const { status, headers, body } = await visit(session, { ':path': '/a%20b?c=d', cookie: ['e=f', 'g=h'], x: 'y' });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('connection');
    const received = JSON.parse(body);
    expect(received).toMatchObject({ method: 'GET', url: '/a%20b?c=d', body: '' });
    expect(received.rawHeaders).toEqual(['Host', HOST, 'cookie', 'e=f; g=h', 'x', 'y', 'Connection', 'close']);
    const { localPort: remotePort } = session.socket;
    const facts = {
      remoteAddress: '127.0.0.1',
      remotePort,
      localPort: visited.port,
      encrypted: true,
      servername: HOST,
    };
    expect(received.facts).toEqual(facts);
  });

  it.each([
    ['POST', { 'content-length': '4' }, ['content-length', '4']],
    ['POST', {}, ['Transfer-Encoding', 'chunked']],
    ['GET', {}, ['Transfer-Encoding', 'chunked']],
    ['DELETE', {}, ['Transfer-Encoding', 'chunked']],
  ])('keep the end of their body: %s with %j', async (method, headers, expected) => {
    handle = echo;
    const { body } = await visit(session, { ':method': method, ...headers }, 'body');
    const received = JSON.parse(body);
    expect(received).toMatchObject({ method, body: 'body' });
    expect(received.rawHeaders).toEqual(expect.arrayContaining(expected));
  });

  it.each(['POST', 'PUT'])('state that %s has no body', async (method) => {
    handle = echo;
    const { body } = await visit(session, { ':method': method });
    expect(JSON.parse(body).rawHeaders).toEqual(expect.arrayContaining(['Content-Length', '0']));
  });

  it('are served while others on the connection wait', async () => {
    let answerFirst = (): void => undefined;
    handle = (request, response) => {
      if (request.url === '/first') answerFirst = () => void response.end('first');
      else response.end('second');
    };
    const first = ask(session, { ':path': '/first' });
    expect((await visit(session, { ':path': '/second' })).body).toBe('second');
    const answer = answerOf(first);
    answerFirst();
    expect((await answer).body).toBe('first');
  });

  it('carry large bodies in both directions', async () => {
    handle = (request, response) => void request.pipe(response);
    const body = 'x'.repeat(5_000_000);
    expect((await visit(session, { ':method': 'POST' }, body)).body.length).toBe(body.length);
  });

  it.each([{ ':path': '/é' }, { host: 'other.test' }, { ':method': 'BREW' }])(
    'are rejected when HTTP/1.1 cannot state them: %j',
    async (headers) => {
      handle = (_, response) => void response.end();
      expect((await visit(session, headers)).status).toBe(400);
      expect((await visit(session)).status).toBe(200);
    },
  );

  it('are rejected when they ask for a tunnel', async () => {
    const stream = session.request({ ':method': 'CONNECT', ':authority': HOST });
    expect((await answerOf(stream)).status).toBe(400);
  });

  it('are rejected with 431 when their fields are too long', async () => {
    expect((await visit(session, { long: 'x'.repeat(20_000) })).status).toBe(431);
    handle = (_, response) => void response.end();
    expect((await visit(session)).status).toBe(200);
  });

  it('end at the server when the visitor cancels them', async () => {
    const received = new Promise<ServerResponse>((resolve) => {
      handle = (_, response) => resolve(response);
    });
    const stream = ask(session);
    const response = await received;
    const closed = once(response, 'close');
    stream.close(constants.NGHTTP2_CANCEL);
    await closed;
    expect(response.writableFinished).toBe(false);
  });

  it('end at the server when the visitor leaves', async () => {
    const received = new Promise<ServerResponse>((resolve) => {
      handle = (_, response) => resolve(response);
    });
    const leaving = await visited.session();
    ask(leaving, { ':method': 'POST' }).write('the beginning');
    const closed = once(await received, 'close');
    leaving.socket.destroy();
    await closed;
  });

  it('are limited in number', async () => {
    handle = echo;
    const { maxConcurrentStreams } = session.remoteSettings;
    expect(maxConcurrentStreams).toBe(100);
    const all = await Promise.all(Array.from({ length: 300 }, () => visit(session)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  });
});

describe('responses by HTTP/2', () => {
  it('keep their status, repeated fields and body, and lose fields of connections', async () => {
    handle = (_, response) => {
      response.writeHead(418, [
        ...['Set-Cookie', 'a=b'],
        ...['Set-Cookie', 'c=d'],
        ...['Keep-Alive', 'timeout=5'],
        'X',
        'y',
      ]);
      response.end('body');
    };
    const { status, headers, body } = await visit(session);
    expect([status, body, headers['set-cookie'], headers['x']]).toEqual([418, 'body', ['a=b', 'c=d'], 'y']);
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['keep-alive']));
  });

  it.each([
    ['GET', 304],
    ['GET', 204],
    ['HEAD', 200],
  ])('to %s with %i have no body', async (method, status) => {
    handle = (_, response) => void response.writeHead(status, { etag: '"a"', 'content-length': '7' }).end();
    const answer = await visit(session, { ':method': method });
    expect(answer).toMatchObject({ status, body: '', headers: { etag: '"a"' } });
  });

  it('may be preceded by early hints', async () => {
    handle = (_, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
      response.end('page');
    };
    const stream = ask(session);
    const [hints] = (await once(stream, 'headers')) as [IncomingHttpHeaders];
    expect(hints).toMatchObject({ ':status': 103, link: '</a.css>; rel=preload; as=style' });
    expect((await answerOf(stream)).body).toBe('page');
  });

  it('may repeat fields that have one value', async () => {
    handle = (_, response) =>
      void response.writeHead(200, ['Age', '1', 'Age', '2', 'ETag', '"a"', 'ETag', '"b"']).end('x');
    expect((await visit(session)).body).toBe('x');
  });

  it.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nbad(name): x\r\n\r\nx'],
    ['HTTP/1.1 799 Unknown\r\nContent-Length: 1\r\n\r\nx'],
    ['HTTP/1.1 103 Early Hints\r\n:path: x\r\n\r\n'],
    ['nonsense'],
  ])('end with an error when HTTP/2 cannot state them, and the session goes on: %j', async (raw) => {
    handle = (_, response) => {
      response.socket?.write(raw);
      response.destroy();
    };
    const stream = ask(session);
    await endOf(stream);
    expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    handle = (_, response) => void response.end('after');
    expect((await visit(session)).body).toBe('after');
  });

  it('lose fields that HTTP/2 does not allow', async () => {
    handle = (_, response) =>
      void response.writeHead(200, { te: 'gzip', 'HTTP2-Settings': 'x', upgrade: 'h2c' }).end('x');
    expect((await visit(session)).body).toBe('x');
  });

  it('end with an error when the response breaks off', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('half');
      setImmediate(() => response.destroy());
    };
    const stream = ask(session);
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(headers[':status']).toBe(200);
    stream.resume();
    await endOf(stream);
    expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  });

  it('end with an error when the server closes the connection instead', async () => {
    handle = (request) => void request.socket.destroy();
    const stream = ask(session);
    await endOf(stream);
    expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  });

  it('wait for a visitor who reads slowly', async () => {
    const size = 20_000_000;
    let written = 0;
    handle = (_, response) => {
      const part = Buffer.alloc(100_000);
      const send = () => {
        while (written < size) {
          written += part.length;
          if (!response.write(part)) return void response.once('drain', send);
        }
        response.end();
      };
      send();
    };
    const stream = ask(session);
    await once(stream, 'response');
    // Other requests are served meanwhile, and take several turns of the event loop.
    for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
    expect(written).toBeLessThan(size / 2);
    expect((await text(stream)).length).toBe(size);
  });

  it('need not wait for the body of the request', async () => {
    handle = (request, response) => {
      request.pause();
      response.writeHead(413).end('too large');
    };
    const stream = session.request({ ':authority': HOST, ':method': 'POST' });
    stream.on('error', () => undefined);
    stream.write('a beginning');
    expect(await answerOf(stream)).toMatchObject({ status: 413, body: 'too large' });
    stream.destroy();
  });
});

describe('the shutdown with visitors by HTTP/2', () => {
  it('asks for new connections while it drains, and answers the requests that came before', async () => {
    const responses: ServerResponse[] = [];
    const other = await opened((_, response) => void responses.push(response));
    const visitor = await other.session();
    const early = answerOf(ask(visitor));
    while (responses.length === 0) await new Promise(setImmediate);
    const notice = once(visitor, 'goaway');
    other.termination.beginDraining();
    const late = ask(visitor);
    expect(await notice).toMatchObject([constants.NGHTTP2_NO_ERROR, 1]);
    // The visitor knows that the server did not see it, and repeats it.
    await endOf(late);
    expect([late.rstCode, responses.length]).toEqual([constants.NGHTTP2_REFUSED_STREAM, 1]);
    responses[0]?.end('served');
    expect((await early).body).toBe('served');
  });

  it('asks a visitor who comes while it drains with the first request', async () => {
    const other = await opened((_, response) => void response.end('served'));
    other.termination.beginDraining();
    const visitor = await other.session();
    const notice = once(visitor, 'goaway');
    expect((await visit(visitor)).body).toBe('served');
    await notice;
  });

  it('waits for responses', async () => {
    const responses: ServerResponse[] = [];
    const other = await opened((_, response) => void responses.push(response));
    const answer = visit(await other.session());
    while (responses.length === 0) await new Promise(setImmediate);
    const closed = other.close(LIMIT_MS);
    responses[0]?.end('complete');
    expect((await answer).body).toBe('complete');
    expect(await closed).toBe(true);
  });

  it('does not wait for visitors without a request', async () => {
    const other = await opened((_, response) => void response.end());
    const visitor = await other.session();
    const ended = once(visitor, 'close');
    expect(await other.close(LIMIT_MS)).toBe(true);
    await ended;
  });

  it('does not wait for a connection that sends nothing', async () => {
    const other = await opened((_, response) => void response.end());
    const socket = connectPlain(other.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await other.session();
    const ended = once(socket.resume(), 'close');
    expect(await other.close(LIMIT_MS)).toBe(true);
    await ended;
  });

  it('closes the remaining connections at the time limit', async () => {
    const other = await opened(() => undefined);
    const visitor = await other.session();
    ask(visitor);
    const ended = once(visitor, 'close');
    expect(await other.close(0)).toBe(false);
    await ended;
  });
});
