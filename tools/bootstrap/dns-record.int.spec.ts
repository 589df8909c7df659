import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningDns, startDns } from '../dev-services/dns/index.ts';
import { acquireRunLock } from './run-lock.ts';

const run = promisify(execFile);
const RECORD = join(import.meta.dirname, 'dns-record.ts');
const NAME = '_homeport.www.acme.test';

let dataDir: string;
let dns: RunningDns | undefined;
let release: () => Promise<void>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'homeport-record-'));
  release = await acquireRunLock(dataDir, 'http://localhost:3000');
});

afterEach(async () => {
  await dns?.close();
  dns = undefined;
  await release();
  await rm(dataDir, { recursive: true });
});

const record = (...args: string[]) =>
  run(process.execPath, [RECORD, ...args], { env: { PATH: '/usr/bin:/bin', DATA_DIR: dataDir } });

it('sets and removes a record of an own domain while Homeport runs', async () => {
  dns = await startDns({ dataDir, domain: 'apps.localhost' });
  expect((await stat(join(dataDir, 'dns', 'control.json'))).mode & 0o077).toBe(0);
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${dns.port}`]);
  expect((await record(NAME, 'txt', 'one', 'two')).stdout).toBe(`${NAME} TXT one, two\n`);
  expect((await resolver.resolveTxt(NAME)).flat().toSorted()).toEqual(['one', 'two']);
  expect((await record(NAME, 'TXT')).stdout).toBe(`${NAME}: removed\n`);
  await expect(resolver.resolveTxt(NAME)).rejects.toMatchObject({ code: 'EREFUSED' });
  await expect(record(NAME, 'MX', 'mail.acme.test')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The DNS server refused MX /),
  });
});

it('says how to use it, and that no Homeport runs with its DNS server', async () => {
  await expect(record(NAME)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: /) });
  await expect(record(NAME, 'TXT', '')).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: /) });
  await expect(record(NAME, 'TXT', 'one')).rejects.toMatchObject({ stderr: expect.stringMatching(/npm start/) });
  const running = await startDns({ dataDir, domain: 'apps.localhost' });
  await running.close();
  expect(await readdir(join(dataDir, 'dns'))).not.toContain('control.json');
});
