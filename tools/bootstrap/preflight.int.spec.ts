import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../dev-services/ports.ts';
import { removePostgresData } from '../dev-services/postgres/index.ts';
import { checkDataFolder, checkPorts } from './preflight.ts';
import { readSettings } from './settings.ts';

const POSTGRES = join(import.meta.dirname, '../dev-services/postgres/main.ts');
/** A folder in which nobody, root included, can make a file. */
const READ_ONLY = process.platform === 'linux' ? '/proc/self' : '/System';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'homeport-preflight-'));
});
afterEach(async () => {
  await removePostgresData(dataDir);
  await rm(dataDir, { recursive: true });
});

describe('the data folder', () => {
  it('is said to be read-only, and not to be full', async () => {
    await expect(checkDataFolder(READ_ONLY)).rejects.toThrow(/cannot be written .*DATA_DIR/);
  });

  it('is made, and nothing is left in it', async () => {
    const folder = join(dataDir, 'made/here');
    await checkDataFolder(folder);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a fixed POSTGRES_PORT', () => {
  let keeper: ChildProcess | undefined;

  afterEach(async () => {
    if (keeper && keeper.exitCode === null && keeper.signalCode === null) {
      keeper.kill('SIGTERM');
      await once(keeper, 'exit');
    }
  });

  async function keepPostgres(port: number): Promise<ChildProcess> {
    const env = { DATA_DIR: dataDir, POSTGRES_PORT: String(port), PATH: '/usr/bin:/bin' };
    keeper = fork(POSTGRES, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    expect(await once(keeper, 'message')).toMatchObject([{ type: 'ready', port }]);
    return keeper;
  }

  async function settingsFor(postgres: number) {
    const [port, edge, dns, identity] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const ports = { PORT: port, EDGE_PORT: edge, DNS_PORT: dns, IDENTITY_PORT: identity, POSTGRES_PORT: postgres };
    const env = Object.fromEntries(Object.entries(ports).map(([name, value]) => [name, String(value)]));
    return readSettings({ ...env, DATA_DIR: dataDir }, '/');
  }

  it('is free again after the keeper of its PostgreSQL was killed', async () => {
    const port = await freePort();
    const killed = await keepPostgres(port);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await expect(checkPorts(await settingsFor(port))).resolves.toBeUndefined();
    await keepPostgres(port);
  });

  it('stays in use while its keeper runs', async () => {
    const port = await freePort();
    const running = await keepPostgres(port);
    await expect(checkPorts(await settingsFor(port))).rejects.toThrow(/POSTGRES_PORT/);
    expect(running.exitCode).toBeNull();
  });
});
