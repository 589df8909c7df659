import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appFolder, type AppFolder } from '../../testing/app-folder';
import { bubblewrapHere } from '../../testing/bubblewrap-here';
import { ECHO_SERVER } from '../../testing/sandbox-apps';
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

(canMakeNetworks ? describe : describe.skip)('the way to the network', () => {
  it('does not lead to metadata services and private addresses', async () => {
    const addresses = ['169.254.169.254', '10.0.0.1', '192.168.7.1', '100.64.0.1'];
    const add = addresses.map((address) => `ip addr add ${address}/32 dev lo`).join(' && ');
    const script = `ip link set lo up && ${add} && exec "$@"`;
    const command = [process.execPath, testing('private-addresses.mjs'), COMPILED, ...addresses];
    const { stdout } = await run('unshare', [...NAMESPACE, 'sh', '-c', script, 'sh', ...command]);
    expect(JSON.parse(stdout)).toEqual({
      open: { answers: addresses.map(() => 'HTTP/1.1 200 OK'), heard: addresses },
      closed: { answers: addresses.map(() => 'HTTP/1.1 403 Forbidden'), heard: [] },
    });
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
