import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { DOMAIN, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { NODE_PLAN } from '../../../testing/runtime/fake-runtime-directory';
import { PROBE_APP } from '../../../testing/runtime/probe-app';
import { openRuntime, type RuntimeFixture } from '../../../testing/runtime/runtime-fixture';
import { RuntimeClient } from './runtime-client';

const blobs = new InMemoryBlobStore();
const fixtures = new EdgeFixtures(blobs);
const SERVER = { plan: NODE_PLAN, files: { 'server.mjs': PROBE_APP } };
const RULES = {
  redirects: [],
  headers: [],
};

let edge: EdgeFixture;
let runtime: RuntimeFixture;
let count = 0;

beforeAll(async () => {
  const url = await fixtures.prepare();
  runtime = await openRuntime(url, blobs);
  edge = await fixtures.open(url, { runtime: new RuntimeClient(runtime.socketPath) });
});
afterAll(async () => {
  await fixtures.drop();
  await runtime.close();
});

async function opened(files = {}, server = SERVER) {
  const label = `ssr-${process.pid}-${(count += 1)}`;
  const app = await edge.sites.app(label);
  const deploy = await edge.sites.deploy(app, files, { server, rules: RULES });
  await edge.sites.activate(app, deploy);
  return { app, deploy, label, host: `${label}.${DOMAIN}` };
}

describe('the edge with an SSR app', () => {
  it('serves static files itself and everything else from the server', async () => {
    const { host } = await opened({ 'style.css': 'css' });
    expect(await edge.at(host, '/style.css')).toMatchObject({ status: 200, body: 'css' });
    expect(await edge.at(host, '/')).toMatchObject({ status: 200, body: 'hello' });
    expect(await edge.at(host, '/none')).toMatchObject({ status: 404, body: 'not here' });
  });

  it('never serves a file of the server', async () => {
    const { host } = await opened();
    expect(await edge.at(host, '/server.mjs')).toMatchObject({ status: 404, body: 'not here' });
  });

  it('forwards all methods with their bodies', async () => {
    const { host } = await opened();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const headers = { 'content-length': '0' };
      expect(await edge.at(host, '/echo', { method, headers })).toMatchObject({ status: 200 });
    }
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(`POST /echo HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody`);
    expect(String(await buffer(socket))).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*body/);
  });

  it.each(['//evil.example/', '/a/../b', '/a%2fb', 'ftp://evil.example/', '*'])(
    'forwards no method and no WebSocket to the target %s',
    async (target) => {
      const { host } = await opened();
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
      for (const [method, fields] of [
        ['POST', 'Content-Length: 0\r\n'],
        ['OPTIONS', ''],
        ['GET', upgrade],
      ]) {
        const socket = connect(edge.port, '127.0.0.1');
        socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`);
        const [answer] = await once(socket, 'data');
        expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
        socket.destroy();
      }
    },
  );

  it('does not take a request with a body for a WebSocket', async () => {
    const { host } = await opened();
    const socket = connect(edge.port, '127.0.0.1');
    const fields = 'Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 4\r\n';
    socket.write(`GET /echo HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\nbody`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 [^]*body/);
    socket.destroy();
  });

  it('shows a response that comes before the end of the body, and keeps the connection', async () => {
    const { host } = await opened();
    const socket = connect(edge.port, '127.0.0.1');
    const body = Buffer.alloc(8 * 1024 * 1024);
    socket.write(`POST /early HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(String(await buffer(socket))).toMatch(/^HTTP\/1\.1 401 [^]*no access[^]*HTTP\/1\.1 200 OK[^]*hello/);
  });

  it('rejects a body over 10 MiB before it is sent', async () => {
    const { host } = await opened();
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(`POST /echo HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 10485761\r\n\r\n`);
    expect(String(await buffer(socket))).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close/i);
  });

  it('shows why a body is too large to a visitor that still sends it', async () => {
    const { host } = await opened();
    const socket = connect(edge.port, '127.0.0.1');
    const body = Buffer.alloc(11 * 1024 * 1024);
    socket.write(`POST /echo HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body);
    expect(String(await buffer(socket))).toMatch(/^HTTP\/1\.1 413 [^]*too large/);
  });

  it('tells the server about the visitor', async () => {
    const { host } = await opened();
    const headers = { 'x-forwarded-for': '1.1.1.1', 'x-request-id': 'mine', cookie: 'a=1' };
    const { body, headers: answered } = await edge.at(host, '/headers', { headers });
    const names = JSON.parse(body) as string[];
    const value = (name: string) => names[names.findIndex((each) => each.toLowerCase() === name) + 1];
    expect([value('x-forwarded-for'), value('x-forwarded-host'), value('cookie')]).toEqual(['127.0.0.1', host, 'a=1']);
    expect(value('x-request-id')).toBe(answered['x-request-id']);
    expect(names.filter((name) => name.startsWith('x-homeport'))).toEqual([]);
  });

  it('tells the server what a trusted proxy states about the visitor', async () => {
    const { host } = await opened();
    const behindProxy = await fixtures.open(fixtures.url, {
      runtime: new RuntimeClient(runtime.socketPath),
      trustedProxies: ['127.0.0.1'],
    });
    const headers = {
      'x-forwarded-for': '1.1.1.1, 192.0.2.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'other',
    };
    const names = JSON.parse((await behindProxy.at(host, '/headers', { headers })).body) as string[];
    const value = (name: string) => names[names.findIndex((each) => each.toLowerCase() === name) + 1];
    expect(['for', 'proto', 'host'].map((name) => value(`x-forwarded-${name}`))).toEqual(['192.0.2.7', 'https', host]);
  });

  it('confines cookies and connects WebSockets', async () => {
    const { host } = await opened();
    expect((await edge.at(host, '/cookies')).headers['set-cookie']).toEqual(['a=1', 'b=2']);
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(`GET /socket HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nearly`);
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    while (!received.endsWith('early')) await once(socket, 'data');
    socket.write('later');
    while (!received.endsWith('later')) await once(socket, 'data');
    socket.end();
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('serves requests for other protocols as if they had no Upgrade field', async () => {
    const { host } = await opened({ 'style.css': 'css' });
    const socket = connect(edge.port, '127.0.0.1');
    socket.write(`GET /style.css HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK/);
    socket.destroy();
  });

  it('shows a page when the server crashes, and a problem to programs', async () => {
    const { host } = await opened();
    const page = await edge.at(host, '/crash', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
    const problem = await edge.at(host, '/crash', { headers: { accept: 'application/json' } });
    expect(JSON.parse(problem.body)).toMatchObject({ status: 502, code: 'hosting.runtime-crashed' });
    expect(problem.headers['content-type']).toBe('application/problem+json');
  });

  it('serves hashed files of earlier deploys after a switch, and switches back', async () => {
    const { app, host, deploy } = await opened({ 'main-5QK3VKWS.js': 'old' });
    const files = { 'server.mjs': PROBE_APP.replace("'hello'", "'new'") };
    const next = await edge.sites.deploy(app, {}, { server: { plan: NODE_PLAN, files } });
    await edge.at(host, '/');
    await edge.sites.activate(app, next);
    await edge.until(host, '/', ({ body }) => body === 'new');
    expect(await edge.at(host, '/main-5QK3VKWS.js')).toMatchObject({ status: 200, body: 'old' });
    await edge.sites.activate(app, deploy);
    await edge.until(host, '/', ({ body }) => body === 'hello');
  });

  it('restarts with changed variables without a failed request', async () => {
    const { app, host } = await opened();
    expect((await edge.at(host, '/')).body).toBe('hello');
    await edge.sites.query(
      `insert into apps.environment_variables (app_id, name, scope, sealed, updated_by)
       values ($1, 'GREETING', 'production', 'changed', 'ada')`,
      [app],
    );
    await edge.sites.restart(app);
    const { status } = await edge.until(host, '/', ({ status, body }) => status !== 200 || body === 'changed');
    expect(status).toBe(200);
  });

  it('keeps the methods of static sites', async () => {
    const { host } = await edge.opened({ 'index.html': 'home' });
    expect((await edge.at(host, '/', { method: 'POST' })).status).toBe(405);
  });

  it('says that the app is unavailable where no runtime is configured', async () => {
    const other = await fixtures.open(fixtures.url);
    const { host } = await opened();
    expect((await other.at(host, '/')).status).toBe(503);
  });
});

describe('the runtime', () => {
  const checkOf = async (deploy: string) => {
    for (;;) {
      const rows = await edge.sites.query<{ passed: boolean; reason: string | null; log: string[] }[]>(
        'select passed, reason, log from runtime.start_checks where deploy_id = $1',
        [deploy],
      );
      if (rows[0]) return rows[0];
    }
  };

  it('checks that a new deploy starts', async () => {
    const { app } = await opened();
    const deploy = await edge.sites.deploy(app, {}, { server: SERVER });
    await edge.sites.start(deploy);
    expect(await checkOf(deploy)).toEqual({ passed: true, reason: null, log: ['listening'] });
    const files = { 'server.mjs': "console.error('no database'); process.exit(3);" };
    const broken = await edge.sites.deploy(app, {}, { server: { plan: NODE_PLAN, files } });
    await edge.sites.start(broken);
    expect(await checkOf(broken)).toMatchObject({
      passed: false,
      reason: 'The start failed: exit code 3.',
      log: expect.arrayContaining(['no database']) as unknown,
    });
  });

  it('stores instances, states and logs', async () => {
    const { app, host } = await opened();
    await edge.at(host, '/log');
    const find = async (sql: string) => {
      for (;;) {
        const [row] = await edge.sites.query<Record<string, unknown>[]>(sql, [app]);
        if (row) return row;
      }
    };
    expect(await find("select stream, line from runtime.log_lines where app_id = $1 and line <> 'listening'")).toEqual({
      stream: 'stdout',
      line: 'a line',
    });
    await find(`select state from runtime.app_states where app_id = $1 and state = 'ready'`);
    await find(`select state from runtime.instances where app_id = $1 and state = 'ready'`);
    expect(runtime.errors).toEqual([]);
  });
});
