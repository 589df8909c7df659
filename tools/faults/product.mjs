import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, removePostgresData, startApi, startEdge, startServices } from '../dev-services/index.ts';
import { startTokenIssuer } from './token-issuer.mjs';

const HOST = '127.0.0.1';

/**
 * Starts an API and an edge on embedded services in a temporary folder, without rate limits: they would stop most
 * attacks before they take effect.
 * @param more additional environment variables of the API and the edge.
 * @returns `restarts` has the reason of each process that ended by itself.
 */
export async function startProduct(more = {}) {
  const closers = [];
  const close = async () => {
    for (const each of closers.toReversed()) await each();
  };
  try {
    return { ...(await start(more, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(more, closers) {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeport-faults-'));
  closers.push(async () => {
    await removePostgresData(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  });
  const issuer = await startTokenIssuer();
  closers.push(() => issuer.close());
  const shell = { PATH: process.env.PATH, HOME: process.env.HOME };
  const ports = { dns: 0, identity: 0, postgres: 0, s3: 0 };
  const services = await startServices({
    dataDir,
    publicUrl: 'http://localhost',
    ports,
    env: { ...shell, ...issuer.env },
  });
  closers.push(() => services.close());
  const env = {
    ...shell,
    ...issuer.env,
    ...services.env,
    PLATFORM_DOMAIN: 'apps.localhost',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_USER: '0',
    RATE_LIMIT_PER_ADDRESS: '0',
    ...more,
  };
  const [apiPort, edgePort] = [await freePort(), await freePort()];
  const onLog = (service, line) => /heap|FATAL|"level":(50|60)/.test(line) && console.log(service, line.slice(0, 300));
  const api = await startApi({ port: apiPort, host: HOST, publicUrl: 'http://localhost', env, onLog });
  closers.push(() => api.close());
  const edge = await startEdge({ port: edgePort, host: HOST, env, onLog });
  closers.push(() => edge.close());
  const restarts = [];
  for (const child of [api, edge]) void child.died.then((reason) => restarts.push(reason));
  return { issuer, apiPort, edgePort, api, edge, restarts };
}

/** Sends a request of a person to the API. @returns the decoded JSON of the response. @throws {Error} unless it succeeds. */
export async function ask(port, token, path, { method = 'POST', type, content }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const response = await fetch(`http://${HOST}:${port}${path}`, { method, headers, body: content });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
  return answer;
}
