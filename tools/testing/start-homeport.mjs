// Jest's global set-up: the built product on embedded services, for one run, on free ports and a folder of its own.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHomeport } from '../dev-services/homeport.ts';

/** What a developer's own shell may hold must not lead a test to a real database or bucket. */
const SAFE_NAMES = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot'];

export default async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeport-test-'));
  const env = Object.fromEntries(SAFE_NAMES.map((name) => [name, process.env[name]]));
  const homeport = await startHomeport({
    dataDir,
    // A run makes more requests than any person, all from one address.
    env: { ...env, NODE_OPTIONS: '', LOG_LEVEL: 'warn', RATE_LIMIT_PER_USER: '0', RATE_LIMIT_PER_ADDRESS: '0' },
    port: 0,
    ports: { dns: 0, identity: 0, postgres: 0, s3: 0 },
  });
  globalThis.homeportUnderTest = { homeport, dataDir };
  process.env.HOMEPORT_TEST_SERVICES = JSON.stringify({
    ...homeport.services.env,
    DNS_PORT: String(homeport.services.dnsPort),
    PUBLIC_URL: homeport.url,
  });
}
