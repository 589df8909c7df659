// The product with two tenants that attack and one that is attacked. Runs in a network namespace of this program, in
// which private addresses lead to its listeners.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  freePort,
  removePostgresData,
  startApi,
  startEdge,
  startRuntime,
  startServices,
} from '../../dev-services/index.ts';
import { tarGz } from '../../faults/hostile-archives.mjs';
import { startTokenIssuer } from '../../faults/token-issuer.mjs';

export const METADATA = '169.254.169.254';
export const PRIVATE = '10.0.0.1';
const DOMAIN = 'apps.localhost';
const HTTP_PORT = 80;
const ATTACKERS = ['mallory', 'trudy'];
const MARKER = `neighbor-${randomUUID()}`;
const SECRET = `secret-${randomUUID()}`;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
/** SSLRequest of PostgreSQL, which any server answers with one byte. */
const SSL_REQUEST = '\x00\x00\x00\x08\x04\xd2\x16\x2f';
/** A question for the address of `a.apps.localhost`. */
const DNS_QUESTION = '\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x04apps\x09localhost\x00\x00\x01\x00\x01';

/** Starts everything except the runtime. Close it also when a later step fails. */
export async function startAttackedProduct() {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeport-attacks-'));
  const folder = await mkdtemp(join(tmpdir(), 'hp-att-'));
  await chmod(folder, 0o711);
  const closers = [
    () => rm(dataDir, { recursive: true, force: true }),
    () => rm(folder, { recursive: true, force: true }),
    () => removePostgresData(dataDir),
  ];
  const close = async () => {
    for (const each of closers.splice(0).toReversed()) await each();
  };
  try {
    return { ...(await start(dataDir, folder, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(dataDir, folder, closers) {
  const issuer = await startTokenIssuer();
  closers.push(() => issuer.close());
  for (const host of [METADATA, PRIVATE]) {
    const server = createServer((_, response) => response.end('credentials')).listen(HTTP_PORT, host);
    await once(server, 'listening');
    closers.push(() => server.close());
  }
  const shell = { PATH: process.env.PATH, HOME: process.env.HOME, ...issuer.env };
  const ports = { dns: 0, identity: 0, postgres: 0, s3: 0 };
  const services = await startServices({ dataDir, publicUrl: 'http://localhost', ports, env: shell });
  closers.push(() => services.close());
  const env = {
    ...shell,
    ...services.env,
    ...{ PLATFORM_DOMAIN: DOMAIN, LOG_LEVEL: 'warn', RUNTIME: 'pooled', RUNTIME_DIR: folder },
    ...{ RATE_LIMIT_PER_USER: '0', RATE_LIMIT_PER_ADDRESS: '0' },
  };
  const [apiPort, edgePort] = [await freePort(), await freePort()];
  const api = await startApi({ port: apiPort, host: '127.0.0.1', publicUrl: 'http://localhost', env });
  closers.push(() => api.close());
  const edge = await startEdge({ port: edgePort, host: '127.0.0.1', env });
  closers.push(() => edge.close());
  const agent = new Agent({ keepAlive: true });
  closers.push(() => agent.destroy());
  const product = { issuer, env, folder, apiPort, edgePort, agent, dnsPort: services.dnsPort };
  return {
    /** Starts the runtime with a sandbox. @returns a function that stops it. */
    startRuntime: async (sandbox) => {
      const runtime = await startRuntime({ folder, env: { ...env, RUNTIME_SANDBOX: sandbox } });
      const stop = async () => runtime.close();
      closers.push(stop);
      return stop;
    },
    deployTenants: () => deployTenants(product),
  };
}

/** Deploys the apps of the tenants. @returns functions that send requests to them through the edge. */
async function deployTenants(product) {
  const neighbor = await deploy(product, 'alice', 'neighbor-app.mjs', { MARKER, SECRET });
  const TARGET = JSON.stringify({
    ...{ marker: MARKER, secret: SECRET, folders: [product.folder], services: servicesOf(product) },
  });
  const attackers = await Promise.all(ATTACKERS.map((name) => deploy(product, name, 'attacker-app.mjs', { TARGET })));
  const visitOf = (host) => (path) => visit(product, host, path);
  return { neighbor: visitOf(neighbor), attackers: attackers.map(visitOf) };
}

/** The services that no app may reach, with bytes that each answers. */
function servicesOf({ env, apiPort, edgePort, dnsPort }) {
  const portOf = (url) => Number(new URL(url).port);
  const local = (name, port, greeting) => ({ name, host: '127.0.0.1', port, greeting });
  return [
    local('PostgreSQL', portOf(env.DATABASE_URL), SSL_REQUEST),
    local('S3', portOf(env.S3_ENDPOINT), GET),
    local('API', apiPort, GET),
    local('edge', edgePort, GET),
    { ...local('DNS', Number(dnsPort), DNS_QUESTION), isDatagram: true },
    { name: 'metadata', host: METADATA, port: HTTP_PORT, greeting: GET },
    { name: 'private address', host: PRIVATE, port: HTTP_PORT, greeting: GET },
  ];
}

async function deploy({ issuer, apiPort }, organization, file, variables) {
  const token = await issuer.token(`person-of-${organization}`, organization);
  const call = async (method, path, body, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const response = await fetch(`http://127.0.0.1:${apiPort}${path}`, { method, headers, body });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const app = await call('POST', '/api/apps', JSON.stringify({ name: `App of ${organization}`, type: 'ssr' }));
  for (const [name, value] of Object.entries(variables))
    await call('PUT', `/api/apps/${app.id}/environment/${name}`, JSON.stringify({ value }));
  const code = await readFile(join(import.meta.dirname, file));
  // A file of the bundle has the secret too.
  const archive = await tarGz([
    ['server.mjs', code],
    ['secret.txt', variables.SECRET ?? 'none'],
  ]);
  const result = await call('POST', `/api/apps/${app.id}/deploys`, archive, 'application/gzip');
  if (result.status !== 'ready') throw new Error(`The deploy of ${organization}: ${JSON.stringify(result)}`);
  return app.hostname;
}

async function visit({ edgePort, agent }, host, path) {
  const sent = request({ host: '127.0.0.1', port: edgePort, path, agent, headers: { host } });
  sent.end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await text(response) };
}
