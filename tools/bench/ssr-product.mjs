// The product with embedded services, whose runtime is started separately, and with any number of organizations.
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
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
} from '../dev-services/index.ts';
import { tarGz } from '../faults/hostile-archives.mjs';
import { startTokenIssuer } from '../faults/token-issuer.mjs';

const DOMAIN = 'apps.localhost';

/** Starts everything except the runtime. Close it also when a later step fails. */
export async function startSsrProduct() {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeport-ssr-'));
  const folder = await mkdtemp(join(tmpdir(), 'hp-ssr-'));
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
    ...product,
    /** Starts the runtime with a sandbox. @returns a function that stops it. */
    startRuntime: async (sandbox) => {
      const runtime = await startRuntime({ folder, env: { ...env, RUNTIME_SANDBOX: sandbox } });
      const stop = async () => runtime.close();
      closers.push(stop);
      return stop;
    },
    /** A function that calls the API as a person of an organization. */
    callerOf: (organization) => callerOf(product, organization),
    visit: (host, path) => visit(product, host, path),
  };
}

async function callerOf({ issuer, apiPort }, organization) {
  const token = await issuer.token(`person-of-${organization}`, organization);
  return async (method, path, body, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type };
    const response = await fetch(`http://127.0.0.1:${apiPort}${path}`, { method, headers, body });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

/**
 * Registers an SSR app and deploys it.
 * @param call from `callerOf`.
 * @param files names and contents.
 */
export async function deployServer(call, { name, files, variables = {} }) {
  const app = await call('POST', '/api/apps', JSON.stringify({ name, type: 'ssr' }));
  for (const [variable, value] of Object.entries(variables))
    await call('PUT', `/api/apps/${app.id}/environment/${variable}`, JSON.stringify({ value }));
  const result = await call('POST', `/api/apps/${app.id}/deploys`, await tarGz(files), 'application/gzip');
  if (result.status !== 'ready') throw new Error(`The deploy of ${name}: ${JSON.stringify(result)}`);
  return app;
}

async function visit({ edgePort, agent }, host, path) {
  const sent = request({ host: '127.0.0.1', port: edgePort, path, agent, headers: { host } });
  sent.end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await text(response) };
}
