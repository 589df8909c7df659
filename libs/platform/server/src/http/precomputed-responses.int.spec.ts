import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance, LogController } from 'fastify';
import {
  type PrecomputedResponse,
  type PrecomputedResponsesOptions,
  type PrecomputedRoute,
  servePrecomputedResponses,
} from './precomputed-responses';
import { requestIdOf } from './request-id';
import { logRequests } from './request-log';

/** Every byte value once. */
const BODY = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const PRECOMPUTED: PrecomputedResponse = {
  status: 200,
  headers: ['content-type', 'application/json', 'content-length', '256', 'x-source', 'precomputed'],
  body: BODY.toString('latin1'),
};

let server: FastifyInstance;
let url: string;
let port: number;
let lines: Record<string, unknown>[];
let answer: PrecomputedResponse | undefined;
let currentResponseTo: PrecomputedRoute['responseTo'];
let admission: ReturnType<PrecomputedResponsesOptions['admit']>;
let admit: PrecomputedResponsesOptions['admit'];
let isDraining: boolean;

beforeEach(async () => {
  lines = [];
  [answer, admission, isDraining] = [PRECOMPUTED, undefined, false];
  [currentResponseTo, admit] = [() => answer, () => admission];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
  server = fastify({
    logger: { stream },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
  });
  logRequests(server);
  const framework = () => 'framework';
  server.get('/prices', framework);
  server.post('/prices', framework);
  server.get('/other', framework);
  await server.ready();
  servePrecomputedResponses(server, {
    routes: [{ path: '/prices', name: 'GET /prices', responseTo: (headers) => currentResponseTo(headers) }],
    admit: (route, request) => admit(route, request),
    isDraining: () => isDraining,
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(url).port);
});

afterEach(() => server.close());

const sourceOf = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).headers.get('x-source');

describe('servePrecomputedResponses', () => {
  it('sends the precomputed bytes with the id of the request', async () => {
    const response = await fetch(`${url}/prices`, { headers: { 'x-request-id': 'mine' } });
    expect([response.status, response.headers.get('x-source'), response.headers.get('x-request-id')]).toEqual([
      200,
      'precomputed',
      'mine',
    ]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(BODY);
  });

  it('sends pipelined responses over one connection', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /prices HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) {
      text += String(chunk);
      if (text.split(BODY.toString('latin1')).length > 3) break;
    }
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });

  it('leaves all other requests to the framework', async () => {
    expect(await sourceOf('/prices', { method: 'HEAD' })).toBeNull();
    expect(await sourceOf('/prices', { method: 'POST' })).toBeNull();
    expect(await sourceOf('/prices?x=1')).toBeNull();
    expect(await sourceOf('/other')).toBeNull();
    answer = undefined;
    expect(await (await fetch(`${url}/prices`)).text()).toBe('framework');
  });

  it('leaves all requests to the framework while the server drains', async () => {
    isDraining = true;
    expect(await sourceOf('/prices')).toBeNull();
  });

  it('adds the admission headers and leaves rejected requests to the framework', async () => {
    admission = Promise.resolve(['ratelimit', '"address";r=1']);
    const response = await fetch(`${url}/prices`);
    expect([response.headers.get('x-source'), response.headers.get('ratelimit')]).toEqual([
      'precomputed',
      '"address";r=1',
    ]);
    admission = Promise.reject(new Error('too many'));
    admission.catch(() => undefined);
    expect(await (await fetch(`${url}/prices`)).text()).toBe('framework');
  });

  it('falls back to the framework and logs an error when the route or admission throws', async () => {
    const defect = () => {
      throw new Error('a defect');
    };
    currentResponseTo = defect;
    expect(await (await fetch(`${url}/prices`)).text()).toBe('framework');
    [currentResponseTo, admit] = [() => PRECOMPUTED, defect];
    expect(await (await fetch(`${url}/prices`)).text()).toBe('framework');
    const errors = lines.filter(({ level }) => level === 50);
    expect(errors).toEqual(
      Array(2).fill(expect.objectContaining({ err: expect.objectContaining({ message: 'a defect' }) })),
    );
  });

  it.each([undefined, Promise.resolve(['ratelimit', '1'])])(
    'responds with 500 when sending fails: %#',
    async (admitted) => {
      admission = admitted;
      answer = { ...PRECOMPUTED, headers: ['x-source', 'line\nbreak'] };
      const response = await fetch(`${url}/prices`);
      expect([response.status, await response.json()]).toEqual([500, expect.objectContaining({ status: 500 })]);
      // Node writes the head before it rejects this body.
      answer = { ...PRECOMPUTED, body: 5 as never };
      await expect(fetch(`${url}/prices`)).rejects.toThrow();
      answer = PRECOMPUTED;
      expect(await sourceOf('/prices')).toBe('precomputed');
      expect(lines.filter(({ msg }) => msg === 'request failed')).toHaveLength(2);
    },
  );

  it('writes the same log line as the framework', async () => {
    for (const path of ['/prices', '/prices?framework'])
      await (await fetch(url + path, { headers: { 'x-request-id': 'mine' } })).text();
    const [precomputed, regular] = lines.filter(({ msg }) => msg === 'request');
    const { time, ms, ...fields } = precomputed as Record<string, unknown>;
    expect([typeof time, typeof ms]).toEqual(['number', 'number']);
    expect(regular).toMatchObject(fields);
    expect(Object.keys(regular as object).toSorted()).toEqual(Object.keys(precomputed as object).toSorted());
  });

  it('logs a client that disconnects early', async () => {
    let admitRequest: (headers: readonly string[]) => void = () => undefined;
    admission = new Promise((resolve) => (admitRequest = resolve));
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /prices HTTP/1.1\r\nhost: x\r\n\r\n');
    const [request] = (await once(server.server, 'request')) as [IncomingMessage];
    const closed = new Promise((resolve) => request.socket.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    admitRequest([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.at(-1)).toMatchObject({ msg: 'client disconnected before the response ended', route: '/prices' });
  });
});
