import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { clientErrorHandler } from './client-errors';
import { ConnectionTracker } from '../node-http/connection-tracker';
import { installConnectionLimits } from './connection-limits';
import { bodyTimeoutSignal, clearBodyTimeout, type IncompleteBodiesOptions } from './incomplete-bodies';

const HOST = 'Host: a\r\n';
const LAST = `GET /last HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;

let server: FastifyInstance;
let port: number;
/** Releases the requests to `/slow`. */
let release: () => void;

afterEach(() => server.close());

async function start(options: Partial<IncompleteBodiesOptions> = {}): Promise<void> {
  const connections = new ConnectionTracker();
  const clientErrors = clientErrorHandler((socket) => connections.isResponding(socket));
  server = fastify({ forceCloseConnections: true, clientErrorHandler: clientErrors });
  const released = new Promise<void>((resolve) => (release = resolve));
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.get('/slow', async () => released.then(() => 'slow;'));
  server.get('/*', async ({ url }) => `${url};`);
  server.post('/echo', async ({ raw }) => `${await text(raw)};`);
  server.post('/until-late', async ({ raw }, reply) => {
    await once(bodyTimeoutSignal(raw) as AbortSignal, 'abort');
    return reply.status(408).header('connection', 'close').send('late;');
  });
  server.post('/streamed', async ({ raw }) => {
    clearBodyTimeout(raw);
    return `${await text(raw)};`;
  });
  server.post('/ignored', async () => 'ignored;');
  await server.ready();
  installConnectionLimits(server, connections, { callerOf: () => 'caller', ...options });
  await server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = server.server.address() as AddressInfo);
}

async function send(message: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(message);
  return socket;
}

/** @returns statuses and bodies of all responses until the connection closed. */
async function responsesOn(socket: Socket): Promise<{ statuses: string[]; bodies: string[] }> {
  const all = await text(socket);
  return {
    statuses: [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string),
    bodies: [...all.matchAll(/\r\n\r\n([^;\r]*;)/g)].map(([, body]) => body as string),
  };
}

const responsesTo = async (message: string) => responsesOn(await send(message));

describe('a request with an Upgrade header', () => {
  const UPGRADE = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  const WEBSOCKET = 'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n';

  it.each([
    ['h2c', `GET /first HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`, '/first;'],
    ['a WebSocket', `GET /first HTTP/1.1\r\n${HOST}${WEBSOCKET}\r\n`, '/first;'],
    ['h2c, with a body', `POST /echo HTTP/1.1\r\n${HOST}${UPGRADE}Content-Length: 4\r\n\r\nbody`, 'body;'],
    [
      'h2c, with a chunked body',
      `POST /echo HTTP/1.1\r\n${HOST}${UPGRADE}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`,
      'body;',
    ],
    [
      'h2c, with 1,100 headers before the length of its body',
      `POST /echo HTTP/1.1\r\n${HOST}${UPGRADE}${'a:b\r\n'.repeat(1_100)}Content-Length: 4\r\n\r\nbody`,
      'body;',
    ],
  ])('is served without the upgrade, and so is the next request: %s', async (_name, request, body) => {
    await start();
    expect(await responsesTo(request + LAST)).toEqual({ statuses: ['200', '200'], bodies: [body, '/last;'] });
  });

  it('can be repeated on one connection', async () => {
    await start();
    const socket = await send('');
    for (let i = 0; i < 50; i += 1) {
      socket.write(`GET /${i} HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      expect(bytes.toString()).toContain(`\r\n\r\n/${i};`);
    }
    const listeners = server.server.listenerCount('request');
    expect(listeners).toBeLessThan(5);
    socket.end(LAST);
    expect((await responsesOn(socket)).statuses).toEqual(['200']);
  });

  it('closes the connection when an earlier response is pending', async () => {
    await start();
    const socket = await send(`GET /slow HTTP/1.1\r\n${HOST}\r\nGET /first HTTP/1.1\r\n${HOST}${UPGRADE}\r\n${LAST}`);
    const answers = responsesOn(socket);
    release();
    expect(await answers).toEqual({ statuses: ['200', '200'], bodies: ['slow;', '/first;'] });
  });
});

describe('a request with a Host header', () => {
  it('is rejected when a second one follows 1,100 other headers', async () => {
    await start();
    const request = `GET / HTTP/1.1\r\n${HOST}${'a:b\r\n'.repeat(1_100)}Host: b\r\nConnection: close\r\n\r\n`;
    expect((await responsesTo(request)).statuses).toEqual(['400']);
  });

  it.each([`${HOST}Host: b\r\n`, `${HOST}hOsT: a\r\n`, `${HOST}X-A: b\r\nHOST:\r\n`])(
    'is rejected when the header is repeated: %j',
    async (hosts) => {
      await start();
      const answer = await text(await send(`GET / HTTP/1.1\r\n${hosts}\r\n`));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer).toContain('"code":"platform.invalid-request"');
    },
  );

  it.each(['ev il', 'a/b', 'user@a', '[::1', 'a:b', '"a"'])(
    'is rejected when it is not a host name: %s',
    async (host) => {
      await start();
      const answer = await text(await send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('The Host header is missing or not a valid host name.');
    },
  );

  it.each(['', 'a', 'A.example.', 'a_b:80', '127.0.0.1:8080', '[::1]', '[::1]:8080', 'a:'])(
    'is accepted when it is a host name: %s',
    async (host) => {
      await start();
      const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect((await responsesTo(request)).statuses).toEqual(['200']);
    },
  );

  it('is required, except in HTTP/1.0', async () => {
    await start();
    expect((await responsesTo(`GET / HTTP/1.1\r\n\r\n`)).statuses).toEqual(['400']);
    expect((await responsesTo(`GET / HTTP/1.0\r\n\r\n`)).statuses).toEqual(['200']);
  });
});

it('rejects an unknown expectation as a private problem, and closes the connection', async () => {
  await start();
  const answer = await text(await send(`POST / HTTP/1.1\r\n${HOST}Expect: 200-foo\r\nContent-Length: 2\r\n\r\n{}`));
  expect(answer).toMatch(/^HTTP\/1\.1 417 /);
  expect(answer).toMatch(/\r\ncache-control: private, no-store\r\n/i);
  expect(answer).toContain('"code":"platform.expectation-failed"');
});

describe('a body that is incomplete at the time limit', () => {
  const PARTIAL_BODY = `${HOST}Content-Length: 100\r\n\r\n{`;

  it('aborts reading in the route, which can still respond', async () => {
    await start({ timeLimitMs: 20 });
    expect(await responsesTo(`POST /until-late HTTP/1.1\r\n${PARTIAL_BODY}`)).toEqual({
      statuses: ['408'],
      bodies: ['late;'],
    });
  });

  it.each(['GET /anything', 'POST /ignored'])(
    'closes the connection of %s, which does not read the body',
    async (route) => {
      await start({ timeLimitMs: 20 });
      expect((await responsesTo(`${route} HTTP/1.1\r\n${PARTIAL_BODY}`)).statuses).toEqual(['200']);
    },
  );

  it('is allowed on routes that stream the body', async () => {
    await start({ timeLimitMs: 1 });
    const socket = await send(`POST /streamed HTTP/1.1\r\n${HOST}Content-Length: 4\r\nConnection: close\r\n\r\nbo`);
    await expect(responsesTo(`POST /until-late HTTP/1.1\r\n${PARTIAL_BODY}`)).resolves.toMatchObject({
      statuses: ['408'],
    });
    socket.write('dy');
    expect(await responsesOn(socket)).toEqual({ statuses: ['200'], bodies: ['body;'] });
  });
});

describe('incomplete bodies of one caller', () => {
  const sendPartialBody = () => send(`POST /echo HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{`);

  it('are limited in number; requests without a body are not', async () => {
    await start({ maxPerCaller: 3 });
    const open = [await sendPartialBody(), await sendPartialBody(), await sendPartialBody()];
    const rejected = await text(await sendPartialBody());
    expect(rejected).toMatch(/^HTTP\/1\.1 429 /);
    expect(rejected).toMatch(/\r\nretry-after: 30\r\n/);
    expect((await responsesTo(LAST)).statuses).toEqual(['200']);
    for (const socket of open) socket.destroy();
  });

  it('count until the body is complete or the connection closes', async () => {
    await start({ maxPerCaller: 1 });
    const whole = `POST /echo HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 4\r\n\r\nbody`;
    for (let i = 0; i < 5; i += 1) expect((await responsesTo(whole)).bodies).toEqual(['body;']);
    const incomplete = await sendPartialBody();
    expect((await responsesTo(whole)).statuses).toEqual(['429']);
    incomplete.write('x'.repeat(99));
    await once(incomplete, 'data');
    expect((await responsesTo(whole)).statuses).toEqual(['200']);
    incomplete.destroy();
  });

  it('are counted per caller', async () => {
    let callers = 0;
    await start({ maxPerCaller: 1, callerOf: () => String((callers += 1)) });
    const open = [await sendPartialBody(), await sendPartialBody()];
    expect(
      (await responsesTo(`POST /ignored HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 1\r\n\r\nx`)).statuses,
    ).toEqual(['200']);
    for (const socket of open) socket.destroy();
  });
});
