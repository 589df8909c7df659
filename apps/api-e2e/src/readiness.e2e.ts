import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiProcess, spawnApi, type EdgeProcess, spawnEdge } from './product-processes';
import { settings, url } from './homeport';
import { until } from './suites';

/** If every request checked all dependencies, these requests would take ten minutes. */
const REQUESTS = 300;

const API_PORT = Number(new URL(url).port);
const EDGE_PORT = Number(settings['EDGE_PORT']);

/** Sends raw bytes. @returns the whole response. */
async function raw(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answer = text(socket);
  socket.write(head);
  return answer;
}

describe.each([
  ['API', API_PORT, /^HTTP\/1\.1 404 [^]*"platform\.no-route"/],
  ['edge', EDGE_PORT, /^HTTP\/1\.1 400 /],
])('health checks of the %s', (_, port, elsewhere) => {
  it.each(['/health/live', '/health/ready'])('answer %s with HTTP/1.0 and no host', async (path) => {
    // On a busy machine a check may exceed its time limit.
    const matches = async (method: string, pattern: RegExp) =>
      pattern.test(await raw(port, `${method} ${path} HTTP/1.0\r\n\r\n`));
    await until(() => matches('GET', /^HTTP\/1\.1 200 OK\r\n[^]*"status":"ok"/));
    await until(() => matches('HEAD', /^HTTP\/1\.1 200 OK\r\n/));
  });

  it('answer other paths without a host with an error', async () => {
    expect(await raw(port, 'GET /health HTTP/1.0\r\n\r\n')).toMatch(elsewhere);
  });

  it('require a host with HTTP/1.1', async () => {
    const head = 'GET /health/ready HTTP/1.1\r\nConnection: close\r\n\r\n';
    expect(await raw(port, head)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('/metrics on the public port', () => {
  it.each(['*/*', 'text/html'])('is not a route for a client that accepts %s', async (accept) => {
    const answer = await fetch(`${url}/metrics`, { headers: { accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({ code: 'platform.no-route' });
  });
});

describe('readiness while storage and DNS accept connections and never answer', () => {
  const sockets = new Set<Socket>();
  let hanging: Server;
  let api: ApiProcess;
  let edge: EdgeProcess;

  beforeAll(async () => {
    hanging = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined).resume());
      socket.once('close', () => sockets.delete(socket));
    }).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const endpoint = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    [api, edge] = await Promise.all([
      spawnApi({ S3_ENDPOINT: endpoint, EMBEDDED_DNS_URL: endpoint }),
      spawnEdge({ S3_ENDPOINT: endpoint }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([api?.stop(), edge?.stop()]);
    for (const socket of sockets) socket.destroy();
    hanging.close();
  });

  it.each([
    ['API', () => api.url, { postgres: 'up', 'signing-keys': 'up', storage: 'down', dns: 'down' }],
    ['edge', () => `http://127.0.0.1:${edge.port}`, { postgres: 'up', storage: 'down' }],
  ])('is reported by the %s without waiting for them', async (_, base, checks) => {
    const down = Object.fromEntries(Object.entries(checks).filter(([, state]) => state === 'down'));
    const ask = async () => {
      const answer = await fetch(`${base()}/health/ready`);
      return { status: answer.status, body: (await answer.json()) as { checks: object } };
    };
    await until(async () => Object.keys((await ask()).body.checks).length === Object.keys(checks).length);
    for (let asked = 0; asked < REQUESTS; asked += 1) {
      expect((await ask()).body.checks).toMatchObject(down);
    }
    // On a busy machine the check of PostgreSQL may exceed its time limit.
    let last: unknown;
    await until(async () => {
      const answer = await ask();
      last = answer;
      return answer.status === 200;
    });
    expect(last).toEqual({ status: 200, body: { status: 'degraded', checks } });
  });
});
