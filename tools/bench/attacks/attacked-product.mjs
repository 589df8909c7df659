// The product with two tenants that attack and one that is attacked. Runs in a network namespace of this program, in
// which private addresses lead to its listeners.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { deployServer, startSsrProduct } from '../ssr-product.mjs';

export const METADATA = '169.254.169.254';
export const PRIVATE = '10.0.0.1';
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
  const targets = await Promise.all([METADATA, PRIVATE].map(listenOn));
  const closeTargets = () => targets.forEach((target) => target.close());
  try {
    const product = await startSsrProduct();
    const close = async () => {
      await product.close();
      closeTargets();
    };
    return { startRuntime: product.startRuntime, deployTenants: () => deployTenants(product), close };
  } catch (error) {
    closeTargets();
    throw error;
  }
}

async function listenOn(host) {
  const server = createServer((_, response) => response.end('credentials')).listen(HTTP_PORT, host);
  await once(server, 'listening');
  return server;
}

/** Deploys the apps of the tenants. @returns functions that send requests to them through the edge. */
async function deployTenants(product) {
  const neighbor = await deploy(product, 'alice', 'neighbor-app.mjs', { MARKER, SECRET });
  const TARGET = JSON.stringify({
    ...{ marker: MARKER, secret: SECRET, folders: [product.folder], services: servicesOf(product) },
  });
  const attackers = await Promise.all(ATTACKERS.map((name) => deploy(product, name, 'attacker-app.mjs', { TARGET })));
  const visitOf = (host) => (path) => product.visit(host, path);
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

async function deploy(product, organization, file, variables) {
  const code = await readFile(join(import.meta.dirname, file));
  // A file of the bundle has the secret too.
  const files = [
    ['server.mjs', code],
    ['secret.txt', variables.SECRET ?? 'none'],
  ];
  const call = await product.callerOf(organization);
  return (await deployServer(call, { name: `App of ${organization}`, files, variables })).hostname;
}
