import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appFolder, type AppFolder } from '../../testing/app-folder';
import { bubblewrapHere } from '../../testing/bubblewrap-here';
import { ECHO_SERVER } from '../../testing/sandbox-apps';
import type { Sandbox } from '../application/sandbox.port';
import { BareSandbox } from './bare-sandbox';
import { BubblewrapSandbox } from './bubblewrap-sandbox';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../../../../..');
const COMPILED = join(root, 'dist/api/libs/hosting/server/src/runtime/sandbox');
const testing = (name: string) => join(import.meta.dirname, '../../testing', name);
const isRoot = process.getuid?.() === 0;
const isIsolated = await bubblewrapHere();

/** As root, or in a user namespace; some systems allow neither. */
const NAMESPACE = ['--net', ...(isRoot ? [] : ['--user', '--map-root-user'])];
const canMakeNetworks = await run('unshare', [...NAMESPACE, 'ip', 'link', 'set', 'lo', 'up']).then(
  () => true,
  (error: Error) => void process.stderr.write(`The test of private addresses is skipped: ${error.message}\n`),
);

/** One address of each range that the proxy denies, on which a server can listen. Other notations lead to the same. */
const METADATA = '169.254.169.254';
const DENIED_IPV4 = [
  ...['10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.7.1', '100.64.0.1', '169.254.170.2', '127.8.8.8'],
  ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '0.0.0.8'],
];
const DENIED_IPV6 = [
  ...['fd00:ec2::254', 'fec0::1', '2001:db8::1', '100::1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'],
  ...['2002:a9fe:a9fe::1', '2001::1', '4000::1'],
];
const MAPPED = '::ffff:169.254.169.254';
const PUBLIC = '93.184.215.14';

(canMakeNetworks ? describe : describe.skip)('the way to the network', () => {
  it('leads to no private address, of no range, and not to one that a name has the second time', async () => {
    const ranges = [...DENIED_IPV4, ...DENIED_IPV6];
    const addresses = [PUBLIC, METADATA, ...ranges];
    const add = addresses.map((each) => `ip addr add ${each}/${each.includes(':') ? 128 : 32} dev lo`).join(' && ');
    const script = `ip link set lo up && ${add} && exec "$@"`;
    const command = [process.execPath, testing('private-addresses.mjs'), COMPILED, ...addresses, MAPPED];
    const { stdout } = await run('unshare', [...NAMESPACE, 'sh', '-c', script, 'sh', ...command]);
    const asked = [METADATA, ...ranges, MAPPED];
    expect(JSON.parse(stdout)).toEqual({
      open: { answers: asked.map(() => 'HTTP/1.1 200 OK'), heard: [METADATA, ...ranges, METADATA] },
      closed: { answers: asked.map(() => 'HTTP/1.1 403 Forbidden'), heard: [] },
      rebinding: {
        checkingTheName: { heard: [METADATA] },
        proxy: { answers: ['HTTP/1.1 200 OK', 'HTTP/1.1 403 Forbidden'], heard: [PUBLIC] },
      },
    });
  });
});

(isIsolated && isRoot ? describe : describe.skip)('the user of an app', () => {
  let folder = '';
  const entry = `server-${randomUUID()}.mjs`;
  let app: AppFolder;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-users-'));
    await chmod(folder, 0o711);
    app = await appFolder({ [entry]: ECHO_SERVER });
  });
  afterAll(async () => {
    await app.remove();
    await rm(folder, { recursive: true });
  });

  /** The users of all processes of two apps, as the host sees them. */
  const usersOf = async (sandbox: Sandbox) => {
    const apps = await Promise.all(
      [1, 2].map(() =>
        sandbox.launch({
          ...{ instanceId: randomUUID(), appId: randomUUID(), appFolder: app.path, environment: {} },
          plan: { framework: 'node', kind: 'script', entry, environment: {} },
          limits: { memoryBytes: 256 * 1024 ** 2, cpus: 1, processes: 64, tmpBytes: 1024 ** 2 },
          onLine: () => undefined,
        }),
      ),
    );
    await Promise.all(apps.map(({ listening }) => listening));
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const users = await Promise.all(
      ids.map(async (id) => {
        const command = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
        const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
        return command.includes(entry) ? [Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])] : [];
      }),
    );
    await Promise.all(apps.map((each) => each.stop(0)));
    return new Set(users.flat());
  };

  it('is root without a sandbox, and in bubblewrap another one for each app', async () => {
    // The first sandbox creates the folder.
    const options = { runDirectory: join(folder, 'run'), node: process.execPath };
    expect([...(await usersOf(new BareSandbox(options)))]).toEqual([0]);
    const users = await usersOf(await BubblewrapSandbox.open(options));
    expect(users.has(0)).toBe(false);
    expect(users.size).toBe(2);
  });
});

(isIsolated ? describe : describe.skip)('a runtime that is killed', () => {
  let folder = '';
  let app: AppFolder;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-killed-'));
    await chmod(folder, 0o711);
    app = await appFolder({ 'server.mjs': ECHO_SERVER });
  });
  afterAll(async () => {
    await app.remove();
    await rm(folder, { recursive: true });
  });

  const launch = async (state: 'running' | 'frozen'): Promise<ChildProcess> => {
    const args = [testing('abandoned-sandbox.mjs'), COMPILED, folder, app.path, state];
    const runtime = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const failed = once(runtime, 'exit').then(() => Promise.reject(new Error('The runtime did not launch the app.')));
    await Promise.race([once(runtime.stdout!, 'data'), failed]);
    failed.catch(() => undefined);
    return runtime;
  };
  const kill = async (runtime: ChildProcess) => {
    runtime.kill('SIGKILL');
    await once(runtime, 'exit');
  };
  /** The processes that have a path in their arguments. */
  const processesOf = async (path: string) => {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
    return commands.filter((command) => command.includes(path));
  };
  const untilNone = async (path: string) => {
    while ((await processesOf(path)).length > 0) await new Promise(setImmediate);
  };

  it('takes its apps with it', async () => {
    const runtime = await launch('running');
    expect(await processesOf('/app/server.mjs')).not.toEqual([]);
    await kill(runtime);
    await untilNone('/app/server.mjs');
  });

  it('leaves nothing that the next one does not remove', async () => {
    await kill(await launch('frozen'));
    await BubblewrapSandbox.open({ runDirectory: folder, node: process.execPath });
    await untilNone('/app/server.mjs');
    expect(await readdir(folder)).toEqual([]);
  });
});
