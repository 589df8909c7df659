import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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
/** A folder in which no user, not even root, can create a file. */
const READ_ONLY = process.platform === 'linux' ? '/proc/self' : '/System';

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'homeport-preflight-'));
});
afterAll(async () => {
  await removePostgresData(dataDir);
  await rm(dataDir, { recursive: true });
});

describe('checkDataFolder', () => {
  it('reports a read-only folder as read-only, not as full', async () => {
    await expect(checkDataFolder(READ_ONLY)).rejects.toThrow(/cannot be written .*DATA_DIR/);
  });

  it('creates the folder and leaves no files in it', async () => {
    const folder = join(dataDir, 'made/here');
    await checkDataFolder(folder);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a fixed POSTGRES_PORT', () => {
  let supervisor: ChildProcess | undefined;

  afterEach(async () => {
    if (supervisor && supervisor.exitCode === null && supervisor.signalCode === null) {
      supervisor.kill('SIGTERM');
      await once(supervisor, 'exit');
    }
  });

  async function startPostgresProcess(port: number): Promise<ChildProcess> {
    const env = { DATA_DIR: dataDir, POSTGRES_PORT: String(port), PATH: '/usr/bin:/bin' };
    supervisor = fork(POSTGRES, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    expect(await once(supervisor, 'message')).toMatchObject([{ type: 'ready', port }]);
    return supervisor;
  }

  async function settingsFor(postgres: number) {
    const [port, edge, dns, identity] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const ports = { PORT: port, EDGE_PORT: edge, DNS_PORT: dns, IDENTITY_PORT: identity, POSTGRES_PORT: postgres };
    const env = Object.fromEntries(Object.entries(ports).map(([name, value]) => [name, String(value)]));
    return readSettings({ ...env, DATA_DIR: dataDir }, '/');
  }

  it('is free again after the process that runs its PostgreSQL was killed', async () => {
    const port = await freePort();
    const killed = await startPostgresProcess(port);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await expect(checkPorts(await settingsFor(port))).resolves.toBeUndefined();
    await startPostgresProcess(port);
  });

  it('stays in use while the process that runs it is alive', async () => {
    const port = await freePort();
    const running = await startPostgresProcess(port);
    await expect(checkPorts(await settingsFor(port))).rejects.toThrow(/POSTGRES_PORT/);
    expect(running.exitCode).toBeNull();
  });
});
