import { once } from 'node:events';
import { connect } from 'node:net';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SiteHostnames } from '@homeport/hosting/contracts';
import { exchangeRaw, visit } from '../../../testing/visit';
import { EdgeServer } from './edge-server';
import { type EdgeRequestLog, loggedResponses } from './logged-response';

interface Line {
  readonly msg: string;
  readonly request_id: string;
}

const HOST = 'shop.apps.example';

let server: EdgeServer;
let lines: Line[];
let answer: (response: ServerResponse) => void;

async function open(requests: EdgeRequestLog): Promise<number> {
  lines = [];
  const log = { info: (fields: object, msg: string) => void lines.push({ ...fields, msg } as Line) };
  const responses = loggedResponses({ requests, hostnames: new SiteHostnames('apps.example'), log: log as never });
  server = new EdgeServer((_request, response) => answer(response), { responses });
  return server.listen(0, '127.0.0.1');
}

const say = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, ['X-Deploy-Id', 'deploy-1', 'Content-Length', '2'] as never).end('ok');

afterEach(() => server.close(0));

describe('the request log of the edge', () => {
  it.each([
    ['off', 200, 0],
    ['off', 503, 0],
    ['errors', 200, 0],
    ['errors', 304, 0],
    ['errors', 404, 1],
    ['errors', 503, 1],
    ['all', 200, 1],
    ['all', 404, 1],
  ] as const)('with %s, a response with %i adds %i lines', async (requests, status, count) => {
    const port = await open(requests);
    answer = say(status);
    const closed = new Promise<void>((resolve) => {
      const before = answer;
      answer = (response) => {
        before(response);
        response.once('close', resolve);
      };
    });
    await visit(port, { host: HOST });
    await closed;
    expect(lines).toHaveLength(count);
  });

  it('has the site, the deploy and the request id, and no path or query', async () => {
    const port = await open('errors');
    answer = say(404);
    const { headers } = await visit(port, { host: `${HOST}:8080`, target: '/invitation/abc?token=secret' });
    while (lines.length === 0) await new Promise(setImmediate);
    expect(lines).toEqual([
      {
        request_id: headers['x-request-id'],
        method: 'GET',
        site: 'shop',
        deploy_id: 'deploy-1',
        status: 404,
        bytes: expect.any(Number),
        ms: expect.any(Number),
        msg: 'request',
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/invitation|secret/);
  });

  it('keeps the request id of a proxy, and names no site for other hosts', async () => {
    const port = await open('all');
    answer = say(200);
    await visit(port, { host: 'other.example' }, { headers: { 'x-request-id': 'from-the-proxy' } });
    while (lines.length === 0) await new Promise(setImmediate);
    expect(lines[0]).toMatchObject({ request_id: 'from-the-proxy', site: undefined });
  });

  it.each([
    [
      'an object',
      (response: ServerResponse) => response.writeHead(503, { 'x-deploy-id': 'deploy-1', Via: ['a', 'b'] }),
    ],
    ['a list', (response: ServerResponse) => response.writeHead(503, ['X-Deploy-Id', 'deploy-1', 'Via', 'a, b'])],
    [
      'a list of pairs',
      (response: ServerResponse) =>
        response.writeHead(503, [
          ['X-Deploy-Id', 'deploy-1'],
          ['Via', 'a, b'],
        ] as never),
    ],
    [
      'a message and an object',
      (response: ServerResponse) => response.writeHead(503, 'Busy', { 'X-Deploy-Id': 'deploy-1', Via: 'a, b' }),
    ],
  ])('works when the headers are %s', async (_form, writeHead) => {
    const port = await open('errors');
    answer = (response) => void writeHead(response).end('ok');
    const { status, headers } = await visit(port, { host: HOST });
    while (lines.length === 0) await new Promise(setImmediate);
    expect([status, headers.via]).toEqual([503, 'a, b']);
    expect(lines).toEqual([
      expect.objectContaining({ request_id: headers['x-request-id'], deploy_id: 'deploy-1', status: 503 }),
    ]);
  });

  it('includes the rejection of a request with two Host headers', async () => {
    const port = await open('errors');
    answer = say(200);
    const answered = await exchangeRaw(port, `GET / HTTP/1.1\r\nHost: ${HOST}\r\nHost: other\r\n\r\n`);
    expect(answered).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Content-Type-Options: nosniff\r\n/);
    while (lines.length === 0) await new Promise(setImmediate);
    expect(lines).toEqual([expect.objectContaining({ status: 400, msg: 'request' })]);
    expect((await visit(port, { host: HOST })).status).toBe(200);
  });

  it('records that a client left before the end', async () => {
    const port = await open('all');
    answer = (response) => void response.writeHead(200, ['Content-Length', '1000'] as never).write('a');
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
    await once(socket, 'data');
    socket.destroy();
    while (lines.length === 0) await new Promise(setImmediate);
    expect(lines[0]).toMatchObject({ status: 200, msg: 'client disconnected before the response ended' });
  });
});
