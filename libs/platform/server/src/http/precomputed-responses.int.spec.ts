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

/** All bytes there are, a character each. */
const BODY = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const READY: PrecomputedResponse = {
  status: 200,
  headers: ['content-type', 'application/json', 'content-length', '256', 'x-way', 'ready'],
  body: BODY.toString('latin1'),
};

let server: FastifyInstance;
let url: string;
let port: number;
let lines: Record<string, unknown>[];
let answer: PrecomputedResponse | undefined;
let answerTo: PrecomputedRoute['responseTo'];
let admission: ReturnType<PrecomputedResponsesOptions['admit']>;
let admit: PrecomputedResponsesOptions['admit'];
let isDraining: boolean;

beforeEach(async () => {
  lines = [];
  [answer, admission, isDraining] = [READY, undefined, false];
  [answerTo, admit] = [() => answer, () => admission];
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
  server = fastify({
    logger: { stream },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
  });
  logRequests(server);
  const usual = () => 'usual';
  server.get('/prices', usual);
  server.post('/prices', usual);
  server.get('/other', usual);
  await server.ready();
  servePrecomputedResponses(server, {
    routes: [{ path: '/prices', name: 'GET /prices', responseTo: (headers) => answerTo(headers) }],
    admit: (route, request) => admit(route, request),
    isDraining: () => isDraining,
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
  port = Number(new URL(url).port);
});

afterEach(() => server.close());

const wayOf = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).headers.get('x-way');

describe('servePrecomputedResponses', () => {
  it('sends what is ready, byte by byte, under the id of the request', async () => {
    const response = await fetch(`${url}/prices`, { headers: { 'x-request-id': 'mine' } });
    expect([response.status, response.headers.get('x-way'), response.headers.get('x-request-id')]).toEqual([
      200,
      'ready',
      'mine',
    ]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(BODY);
  });

  it('sends one answer after the other over one connection', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /prices HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) {
      text += String(chunk);
      if (text.split(BODY.toString('latin1')).length > 3) break;
    }
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  });

  it('leaves everything else to the route', async () => {
    expect(await wayOf('/prices', { method: 'HEAD' })).toBeNull();
    expect(await wayOf('/prices', { method: 'POST' })).toBeNull();
    expect(await wayOf('/prices?x=1')).toBeNull();
    expect(await wayOf('/other')).toBeNull();
    answer = undefined;
    expect(await (await fetch(`${url}/prices`)).text()).toBe('usual');
  });

  it('closes connections in the usual way while the server drains', async () => {
    isDraining = true;
    expect(await wayOf('/prices')).toBeNull();
  });

  it('says what belongs to the admission, and sends the refused the usual way', async () => {
    admission = Promise.resolve(['ratelimit', '"address";r=1']);
    const response = await fetch(`${url}/prices`);
    expect([response.headers.get('x-way'), response.headers.get('ratelimit')]).toEqual(['ready', '"address";r=1']);
    admission = Promise.reject(new Error('too many'));
    admission.catch(() => undefined);
    expect(await (await fetch(`${url}/prices`)).text()).toBe('usual');
  });

  it('sends the usual way what a defect keeps from being sent, and says so in the log', async () => {
    const defect = () => {
      throw new Error('a defect');
    };
    answerTo = defect;
    expect(await (await fetch(`${url}/prices`)).text()).toBe('usual');
    [answerTo, admit] = [() => READY, defect];
    expect(await (await fetch(`${url}/prices`)).text()).toBe('usual');
    const errors = lines.filter(({ level }) => level === 50);
    expect(errors).toEqual(
      Array(2).fill(expect.objectContaining({ err: expect.objectContaining({ message: 'a defect' }) })),
    );
  });

  it.each([undefined, Promise.resolve(['ratelimit', '1'])])('answers 500 when sending fails: %#', async (admitted) => {
    admission = admitted;
    answer = { ...READY, headers: ['x-way', 'line\nbreak'] };
    const response = await fetch(`${url}/prices`);
    expect([response.status, await response.json()]).toEqual([500, expect.objectContaining({ status: 500 })]);
    // Node writes the head before it finds that this is no body.
    answer = { ...READY, body: 5 as never };
    await expect(fetch(`${url}/prices`)).rejects.toThrow();
    answer = READY;
    expect(await wayOf('/prices')).toBe('ready');
    expect(lines.filter(({ msg }) => msg === 'request failed')).toHaveLength(2);
  });

  it('logs what the usual way logs', async () => {
    for (const path of ['/prices', '/prices?usual'])
      await (await fetch(url + path, { headers: { 'x-request-id': 'mine' } })).text();
    const [ready, usual] = lines.filter(({ msg }) => msg === 'request');
    const { time, ms, ...facts } = ready as Record<string, unknown>;
    expect([typeof time, typeof ms]).toEqual(['number', 'number']);
    expect(usual).toMatchObject(facts);
    expect(Object.keys(usual as object).toSorted()).toEqual(Object.keys(ready as object).toSorted());
  });

  it('logs that a client has left', async () => {
    let letIn: (headers: readonly string[]) => void = () => undefined;
    admission = new Promise((resolve) => (letIn = resolve));
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /prices HTTP/1.1\r\nhost: x\r\n\r\n');
    const [request] = (await once(server.server, 'request')) as [IncomingMessage];
    const closed = new Promise((resolve) => request.socket.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
    letIn([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.at(-1)).toMatchObject({ msg: 'client left before the answer', route: '/prices' });
  });
});
