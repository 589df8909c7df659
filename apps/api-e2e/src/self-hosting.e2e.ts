import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BUBBLEWRAP,
  type Child,
  DEBIAN_POSTGRES,
  findPrograms,
  freePort,
  KNOT,
  NGINX,
  startDebianPostgres,
  startKnot,
  startNginx,
} from '@homeport/dev-services';
import { UNTRUSTED_CERTIFICATE } from '@homeport/platform/server/testing';
import { type SiteFiles, tarGz } from './apps/archives';
import { settings, signIn } from './homeport';
import { blockOf, environmentFile, type Places, replaced, startInstance } from './self-hosted-guide';
import { echoThroughWebSocket, WEBSOCKET_APP } from './websocket-app';
import { isFull, until } from './suites';

const PRODUCT = 'homeport.example.com';
const DOMAIN = 'apps.example.net';
/** The ports in the guide, in the order API, API, edge, edge, http, https. */
const GUIDE_PORTS = [
  '127.0.0.1:3000',
  '127.0.0.1:3001',
  '127.0.0.1:8080',
  '127.0.0.1:8081',
  'listen 80;',
  'listen 443 ',
];

const key = () => randomBytes(32).toString('base64');

/** Ceph where it is installed, as in the guide; otherwise the embedded server. */
function storage(): Record<string, string> {
  const prefix = settings['CEPH_ENDPOINT'] === undefined ? 'S3' : 'CEPH';
  const of = (name: string) => settings[`${prefix}_${name}`] as string;
  return {
    S3_ENDPOINT: of('ENDPOINT'),
    S3_BUCKET: settings['S3_BUCKET'] as string,
    S3_ACCESS_KEY_ID: of('ACCESS_KEY_ID'),
    S3_SECRET_ACCESS_KEY: of('SECRET_ACCESS_KEY'),
  };
}

const installed = await Promise.all(
  [BUBBLEWRAP, DEBIAN_POSTGRES, KNOT, NGINX].map((programs) => findPrograms(programs)),
);

// `npm test` reports missing programs; in CI that is a failure.
(installed.every((found) => found !== undefined) ? describe : describe.skip)('docs/self-hosting.md', () => {
  const closers: (() => Promise<unknown>)[] = [];
  let apis: Child[];
  let edges: Child[];
  let ports: string[];
  let places: Places;
  let token: string;
  let hostname: string;

  const call = (host: string, path: string, { method = 'GET', type = '', body = Buffer.alloc(0) as Uint8Array } = {}) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const headers = { host, authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) };
      const options = { host: '127.0.0.1', port: ports[5], path, method, headers, servername: host };
      const sent = request({ ...options, rejectUnauthorized: false, agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
      sent.once('error', reject).end(body);
    });
  const isReady = async (program: Child, port: string): Promise<void> => {
    const url = `http://127.0.0.1:${port}/health/ready`;
    const ready = until(() =>
      fetch(url).then(
        ({ ok }) => ok,
        // It does not listen yet.
        () => false,
      ),
    );
    const failure = await Promise.race([ready, program.died]);
    if (failure) throw failure;
  };

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-self-hosted-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const password = randomBytes(16).toString('hex');
    const sql = replaced(blockOf('sql', 'create role'), { '<the database password>': password });
    const postgres = await startDebianPostgres(sql);
    closers.push(() => postgres.close());
    const knot = await startKnot({ domain: DOMAIN });
    closers.push(() => knot.close());
    ports = await Promise.all(GUIDE_PORTS.map(async () => String(await freePort())));
    const common = environmentFile('/etc/homeport/common.env', {
      DATABASE_URL: `postgres://homeport:${password}@127.0.0.1:${postgres.port}/homeport`,
      ...storage(),
    });
    const secretsKeys = `1:${key()}`;
    const api = environmentFile('/etc/homeport/api.env', {
      SESSION_KEYS: key(),
      SECRETS_KEYS: secretsKeys,
      AUTH_ISSUER: settings['AUTH_ISSUER'] as string,
      AUTH_AUDIENCE: settings['AUTH_AUDIENCE'] as string,
      AUTH_CLIENT_ID: settings['AUTH_CLIENT_ID'] as string,
      AUTH_CLIENT_SECRET: settings['AUTH_CLIENT_SECRET'] as string,
      RFC2136_SERVER: `127.0.0.1:${knot.port}`,
      RFC2136_KEY_SECRET: knot.key.secret,
    });
    const runtimeFolder = join(folder, 'runtime');
    // Apps run as other users, who must be able to enter.
    await chmod(folder, 0o711);
    await mkdir(runtimeFolder, { mode: 0o711 });
    await mkdir(join(folder, 'state'));
    places = {
      runtimeFolder,
      stateFolder: join(folder, 'state'),
      files: {
        '/etc/homeport/common.env': `${common}TMPDIR=${folder}\n`,
        '/etc/homeport/api.env': api,
        '/etc/homeport/runtime.env': environmentFile('/etc/homeport/runtime.env', { SECRETS_KEYS: secretsKeys }),
      },
    };
    const [api1 = '', api2 = '', edge1 = '', edge2 = '', http = '', https = ''] = ports;
    await writeFile(join(folder, 'cert.pem'), UNTRUSTED_CERTIFICATE.cert);
    await writeFile(join(folder, 'cert.key'), UNTRUSTED_CERTIFICATE.key);
    const addresses = [api1, api2, edge1, edge2].map((port) => `127.0.0.1:${port}`);
    const listeners = [`listen 127.0.0.1:${http};`, `listen 127.0.0.1:${https} `];
    const changes = GUIDE_PORTS.map((from, at) => [from, [...addresses, ...listeners][at] as string]);
    const configuration = replaced(blockOf('nginx', '# /etc/nginx/conf.d/homeport.conf'), {
      ...(Object.fromEntries(changes) as Record<string, string>),
      [`/etc/homeport/tls/${PRODUCT}.pem`]: join(folder, 'cert.pem'),
      [`/etc/homeport/tls/${PRODUCT}.key`]: join(folder, 'cert.key'),
      [`/etc/homeport/tls/${DOMAIN}.pem`]: join(folder, 'cert.pem'),
      [`/etc/homeport/tls/${DOMAIN}.key`]: join(folder, 'cert.key'),
    });
    // The guide's file is one of several that Debian's nginx includes.
    const nginx = await startNginx({ http: configuration, server: 'return 404;' });
    closers.push(() => nginx.close());
    apis = [api1, api2].map((port) => startInstance('api', places, Number(port)));
    edges = [edge1, edge2].map((port) => startInstance('edge', places, Number(port)));
    const runtime = startInstance('runtime', places);
    closers.push(() => Promise.all([...apis, ...edges, runtime].map((each) => each.close())));
    ({ token } = await signIn('ada'));
    await Promise.all([...apis, ...edges].map((each, at) => isReady(each, ports[at] as string)));
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  /** Registers an app and deploys the files. @returns the app, when it is served. */
  const deploy = async (app: { name: string; type?: string }, deployed: SiteFiles) => {
    const body = Buffer.from(JSON.stringify(app));
    const created = await call(PRODUCT, '/api/apps', { method: 'POST', type: 'application/json', body });
    expect(created.status).toBe(201);
    const registered = JSON.parse(created.body) as { id: string; hostname: string; url: string; dns_status: string };
    const archive = { method: 'POST', type: 'application/gzip', body: await tarGz(deployed) };
    const { status, body: answer } = await call(PRODUCT, `/api/apps/${registered.id}/deploys`, archive);
    expect([status, JSON.parse(answer)]).toEqual([201, expect.not.objectContaining({ error: expect.anything() })]);
    await until(async () => (await call(registered.hostname, '/')).status === 200);
    return registered;
  };

  it('serves a deployed app by https through nginx', async () => {
    const app = await deploy({ name: 'Shop' }, { 'index.html': '<h1>Self-hosted</h1>' });
    ({ hostname } = app);
    expect(app).toMatchObject({ hostname: `shop.${DOMAIN}`, url: `https://shop.${DOMAIN}`, dns_status: 'dns-active' });
    expect(await call(hostname, '/')).toEqual({ status: 200, body: '<h1>Self-hosted</h1>' });
  });

  it('runs an SSR app, also by WebSocket through nginx', async () => {
    const app = await deploy({ name: 'Chat', type: 'ssr' }, WEBSOCKET_APP);
    expect((await call(app.hostname, '/')).body).toBe('<h1>Rendered</h1>');
    expect(await echoThroughWebSocket(app.hostname, Number(ports[5]), 'Hello')).toBe('Hello');
  });

  it('serves the client', async () => {
    expect(await call(PRODUCT, '/')).toMatchObject({ status: 200, body: expect.stringContaining('<hp-root') });
  });

  it('redirects from http', async () => {
    const answer = await fetch(`http://127.0.0.1:${ports[4]}/a?b=c`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'https://127.0.0.1/a?b=c']);
  });

  it('continues to serve while one instance of each restarts', async () => {
    for (const at of isFull ? [0, 1] : [0]) {
      const stopped = [apis[at], edges[at]] as Child[];
      await Promise.all(stopped.map((each) => each.close()));
      expect(stopped.map((each) => each.process.exitCode)).toEqual([0, 0]);
      expect((await call(PRODUCT, '/api/apps')).status).toBe(200);
      expect((await call(hostname, '/')).status).toBe(200);
      const [api, edge] = [ports[at] as string, ports[2 + at] as string];
      apis[at] = startInstance('api', places, Number(api));
      edges[at] = startInstance('edge', places, Number(edge));
      await Promise.all([isReady(apis[at], api), isReady(edges[at], edge)]);
    }
  });
});
