import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { removePostgresData } from './postgres/index.ts';
import { processStartOf } from './processes.mjs';
import { startServices } from './services.ts';
import type { Services, ServicesOptions } from './services.ts';

const free = { dns: 0, identity: 0, postgres: 0, s3: 0 };
let dataDir: string;
let started: Services[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'homeport-stack-'));
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((services) => services.close()));
  await removePostgresData(dataDir);
  await rm(dataDir, { recursive: true });
});

async function start(options: Partial<ServicesOptions> = {}): Promise<Services> {
  const publicUrl = 'http://localhost:3999';
  const services = await startServices({ dataDir, publicUrl, ports: free, env: {}, ...options });
  started.push(services);
  return services;
}

const external = {
  DATABASE_URL: 'postgresql://db/homeport',
  S3_BUCKET: 'files',
  AUTH_ISSUER: 'https://id.example',
};

describe('the embedded services', () => {
  it('start together, return the settings of the API, and leave no process running', async () => {
    const { env, pids, people, dnsPort, close } = await start();
    expect(Object.keys(env).sort()).toEqual(
      [
        ...['ACME_ZONE', 'AUTH_CLI_CLIENT_ID'],
        ...['AUTH_AUDIENCE', 'AUTH_CLIENT_ID', 'AUTH_CLIENT_SECRET', 'AUTH_ISSUER', 'AUTH_PROVIDERS', 'AUTH_SCOPES'],
        ...['DATABASE_URL', 'DNS_PROVIDER', 'DOMAIN_RESOLVERS', 'EMBEDDED_DNS_TOKEN', 'EMBEDDED_DNS_URL'],
        ...['S3_ACCESS_KEY_ID', 'S3_BUCKET'],
        ...['S3_ENDPOINT', 'S3_FORCE_PATH_STYLE', 'S3_REGION', 'S3_SECRET_ACCESS_KEY', 'SECRETS_KEYS', 'SESSION_KEYS'],
        'USAGE_SPOOL_DIR',
      ].sort(),
    );
    expect(Buffer.from(env['SESSION_KEYS'] ?? '', 'base64')).toHaveLength(32);
    expect(dnsPort).toBeGreaterThan(0);
    expect(people.length).toBeGreaterThan(0);
    const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
    await client.connect();
    await client.end();
    expect((await fetch(`${env['AUTH_ISSUER']}/.well-known/openid-configuration`)).status).toBe(200);
    expect((await fetch(`${env['EMBEDDED_DNS_URL']}/records`)).status).toBe(401);
    expect((await fetch(`${env['S3_ENDPOINT']}/`)).status).toBe(403);
    const postmaster = Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);
    await close();
    for (const pid of [...Object.values(pids), postmaster]) expect(processStartOf(pid)).toBeUndefined();
  });

  it('keep the generated secrets, readable by their owner only', async () => {
    const first = await start({ env: external });
    await first.close();
    const second = await start({ env: external });
    expect(second.env['SESSION_KEYS']).toBe(first.env['SESSION_KEYS']);
    expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o077).toBe(0);
  });

  it('do not start services that are configured', async () => {
    const { env, pids } = await start({ env: { ...external, SESSION_KEYS: 'mine' } });
    expect(Object.keys(pids)).toEqual(['dns']);
    expect(env).toMatchObject({ DNS_PROVIDER: 'embedded', SESSION_KEYS: 'mine' });
    expect(env).not.toHaveProperty('DATABASE_URL');
  });

  it('report the name of a service that dies', async () => {
    const { pids, died } = await start({ env: external });
    process.kill(pids['dns'] ?? 0, 'SIGKILL');
    expect(String(await died)).toMatch(/dns ended \(SIGKILL\)/);
  });

  it('stop all and report the reason when one cannot start', async () => {
    const first = await start({ env: external });
    const lines: string[] = [];
    const failing = startServices({
      dataDir: join(dataDir, 'second'),
      publicUrl: 'http://localhost:3999',
      ports: { ...free, dns: first.dnsPort ?? 0 },
      env: { ...external, AUTH_ISSUER: '' },
      onLog: (name, line) => lines.push(`${name} ${line}`),
    });
    await expect(failing).rejects.toThrow(/dns: .*DNS_PORT/);
  });
});
