// Jest's global set-up: starts the built product on embedded services for one run, on free ports and in a temporary
// folder. If Ceph is installed, starts a second API on it, because an independent storage reveals wrong assumptions of
// the embedded one. Browser tests do without it.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCeph } from '../dev-services/ceph/index.ts';
import { CEPH } from '../dev-services/ceph/programs.ts';
import { startApi, startHomeport } from '../dev-services/homeport.ts';
import { freePort } from '../dev-services/ports.ts';
import { findPrograms } from '../dev-services/system-programs.ts';
import { fillCompileCache } from './compile-cache.mjs';

/** The only variables passed on: others in a developer's shell must not lead a test to a real database or bucket. */
const SAFE_NAMES = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot'];
const CEPH_SETTINGS = { bucket: 'homeport-files', accessKeyId: 'homeport', secretAccessKey: 'homeport-on-ceph' };

export default function start() {
  return startProduct({ withCeph: true, withTls: false });
}

/** @param {{ withCeph: boolean, withTls: boolean }} options withTls: apps are served by https too, as with `npm start`. */
export async function startProduct({ withCeph, withTls }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeport-test-'));
  const shell = Object.fromEntries(SAFE_NAMES.map((name) => [name, process.env[name]]));
  // A test run exceeds the rate limits of a person and of an address.
  const env = {
    ...shell,
    NODE_OPTIONS: '',
    NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_USER: '0',
    RATE_LIMIT_PER_ADDRESS: '0',
  };
  const path = shell.PATH ?? '';
  const ports = { dns: 0, identity: 0, postgres: 0, s3: 0 };
  const managementPorts = { api: await freePort(), edge: await freePort(), runtime: await freePort() };
  const [homeport, ceph] = await Promise.all([
    startHomeport({
      dataDir,
      env,
      port: 0,
      edgePort: 0,
      managementPorts,
      ...(withTls && { tlsPort: 0 }),
      ports,
      built: fillCompileCache(env),
    }),
    withCeph && (await findPrograms(CEPH, path)) ? startCeph({ dataDir, path, ...CEPH_SETTINGS }) : undefined,
  ]);
  const onCeph = ceph && (await startOnCeph({ ...env, ...homeport.services.env }, ceph.endpoint));
  const scratch = join(dataDir, 'tmp');
  await mkdir(scratch);
  globalThis.homeportUnderTest = { dataDir, running: [onCeph?.api, homeport, ceph].filter(Boolean) };
  process.env.HOMEPORT_TEST_SERVICES = JSON.stringify({
    ...homeport.services.env,
    DNS_PORT: String(homeport.services.dnsPort),
    PUBLIC_URL: homeport.url,
    EDGE_PORT: String(homeport.edgePort),
    API_METRICS_PORT: String(managementPorts.api),
    EDGE_METRICS_PORT: String(managementPorts.edge),
    ...(homeport.runtime && { RUNTIME_METRICS_PORT: String(managementPorts.runtime) }),
    ...(withTls && { CERTIFICATE_ROOT_FILE: homeport.services.rootFile }),
    // Tests use no load balancer that would need a notice period.
    SHUTDOWN_NOTICE_MS: '0',
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE,
    // Temporary files of an API that a test kills are removed with the folder of the run.
    TMPDIR: scratch,
    ...(onCeph && { CEPH_ENDPOINT: ceph.endpoint, CEPH_PUBLIC_URL: onCeph.url, ...cephKeys() }),
  });
}

async function startOnCeph(env, endpoint) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { CEPH_ACCESS_KEY_ID, CEPH_SECRET_ACCESS_KEY } = cephKeys();
  const settings = {
    ...env,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: CEPH_SETTINGS.bucket,
    S3_ACCESS_KEY_ID: CEPH_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: CEPH_SECRET_ACCESS_KEY,
    // Hides the start-up warnings about missing capabilities of this storage, which are expected here.
    LOG_LEVEL: 'error',
  };
  return { url, api: await startApi({ port, host: '127.0.0.1', publicUrl: url, env: settings }) };
}

function cephKeys() {
  return { CEPH_ACCESS_KEY_ID: CEPH_SETTINGS.accessKeyId, CEPH_SECRET_ACCESS_KEY: CEPH_SETTINGS.secretAccessKey };
}
