import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { clientErrorHandler } from './client-errors';
import { ConnectionTracker } from './connection-tracker';
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

/** Statuses and bodies of everything that was answered until the connection closed. */
async function answersOn(socket: Socket): Promise<{ statuses: string[]; bodies: string[] }> {
  const all = await text(socket);
  return {
    statuses: [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string),
    bodies: [...all.matchAll(/\r\n\r\n([^;\r]*;)/g)].map(([, body]) => body as string),
  };
}

const answersTo = async (message: string) => answersOn(await send(message));

describe('a request that asks for another protocol', () => {
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
  ])('is answered as if it did not ask for %s, and so is what follows it', async (_name, request, body) => {
    await start();
    expect(await answersTo(request + LAST)).toEqual({ statuses: ['200', '200'], bodies: [body, '/last;'] });
  });

  it('may come many times on one connection', async () => {
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
    expect((await answersOn(socket)).statuses).toEqual(['200']);
  });

  it('closes the connection behind an earlier request that is still being answered', async () => {
    await start();
    const socket = await send(`GET /slow HTTP/1.1\r\n${HOST}\r\nGET /first HTTP/1.1\r\n${HOST}${UPGRADE}\r\n${LAST}`);
    const answers = answersOn(socket);
    release();
    expect(await answers).toEqual({ statuses: ['200', '200'], bodies: ['slow;', '/first;'] });
  });
});

describe('a request that names its host', () => {
  it('a second time behind 1,100 other headers is refused', async () => {
    await start();
    const request = `GET / HTTP/1.1\r\n${HOST}${'a:b\r\n'.repeat(1_100)}Host: b\r\nConnection: close\r\n\r\n`;
    expect((await answersTo(request)).statuses).toEqual(['400']);
  });

  it.each([`${HOST}Host: b\r\n`, `${HOST}hOsT: a\r\n`, `${HOST}X-A: b\r\nHOST:\r\n`])(
    'several times is refused: %j',
    async (hosts) => {
      await start();
      const answer = await text(await send(`GET / HTTP/1.1\r\n${hosts}\r\n`));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer).toContain('"code":"platform.invalid-request"');
    },
  );

  it('not at all is refused, unless it is HTTP/1.0', async () => {
    await start();
    expect((await answersTo(`GET / HTTP/1.1\r\n\r\n`)).statuses).toEqual(['400']);
    expect((await answersTo(`GET / HTTP/1.0\r\n\r\n`)).statuses).toEqual(['200']);
  });
});

describe('a body that is not complete in time', () => {
  const DRIP = `${HOST}Content-Length: 100\r\n\r\n{`;

  it('is given up by the route that reads it, which still answers', async () => {
    await start({ timeLimitMs: 20 });
    expect(await answersTo(`POST /until-late HTTP/1.1\r\n${DRIP}`)).toEqual({ statuses: ['408'], bodies: ['late;'] });
  });

  it.each(['GET /anything', 'POST /ignored'])('closes the connection of %s, which reads none', async (route) => {
    await start({ timeLimitMs: 20 });
    expect((await answersTo(`${route} HTTP/1.1\r\n${DRIP}`)).statuses).toEqual(['200']);
  });

  it('may take longer where its route streams it', async () => {
    await start({ timeLimitMs: 1 });
    const socket = await send(`POST /streamed HTTP/1.1\r\n${HOST}Content-Length: 4\r\nConnection: close\r\n\r\nbo`);
    await expect(answersTo(`POST /until-late HTTP/1.1\r\n${DRIP}`)).resolves.toMatchObject({ statuses: ['408'] });
    socket.write('dy');
    expect(await answersOn(socket)).toEqual({ statuses: ['200'], bodies: ['body;'] });
  });
});

describe('incomplete bodies of one caller', () => {
  const drip = () => send(`POST /echo HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{`);

  it('are limited in number, and no other request is', async () => {
    await start({ maxPerCaller: 3 });
    const held = [await drip(), await drip(), await drip()];
    const refused = await text(await drip());
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toMatch(/\r\nretry-after: 30\r\n/);
    expect((await answersTo(LAST)).statuses).toEqual(['200']);
    for (const socket of held) socket.destroy();
  });

  it('count until they are complete or their connection closes', async () => {
    await start({ maxPerCaller: 1 });
    const whole = `POST /echo HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 4\r\n\r\nbody`;
    for (let i = 0; i < 5; i += 1) expect((await answersTo(whole)).bodies).toEqual(['body;']);
    const left = await drip();
    expect((await answersTo(whole)).statuses).toEqual(['429']);
    left.write('x'.repeat(99));
    await once(left, 'data');
    expect((await answersTo(whole)).statuses).toEqual(['200']);
    left.destroy();
  });

  it('count apart from those of others', async () => {
    let callers = 0;
    await start({ maxPerCaller: 1, callerOf: () => String((callers += 1)) });
    const held = [await drip(), await drip()];
    expect(
      (await answersTo(`POST /ignored HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 1\r\n\r\nx`)).statuses,
    ).toEqual(['200']);
    for (const socket of held) socket.destroy();
  });
});
