import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bubblewrapHere } from '../../testing/bubblewrap-here';
import type { Sandbox } from '../application/sandbox.port';
import { SandboxBreached } from '../application/sandbox.errors';
import { BareSandbox } from './bare-sandbox';
import { BubblewrapSandbox } from './bubblewrap-sandbox';
import { AddressPolicy } from '@homeport/platform/server/network';
import { breachesOf } from './examination';
import { forbiddenCalls } from './forbidden-calls';
import { filterArchitecture } from './seccomp-filter';

/** What an app can do on a machine without walls. */
const ATTACKS = [
  'files: a file of the host can be read',
  'files: folders of the host are visible',
  'files: a folder can be written',
  'files: shared memory has no limit',
  'network: a service on the loopback interface answers',
  'network: a name server on the loopback interface answers',
  'network: an abstract socket of the host answers',
  'processes: others are visible',
  'processes: others can be signalled',
  'environment: that of the runtime can be read',
  'kernel: system calls are not filtered',
  'kernel: programs can gain privileges',
  'host: devices are visible',
  'host: control groups are visible',
  'exhaustion: the temporary folder has no limit',
  'exhaustion: processes have no limit',
  'exhaustion: memory has no limit',
];
/** As root only, or where the machine has what the attack needs. */
const ATTACKS_OF_ROOT = [
  'kernel: capabilities are left',
  'kernel: denied system calls are executed',
  'kernel: user namespaces can be created',
  'host: settings of the kernel can be written',
];
/** System calls that some kernels do not have: they were removed, or depend on the configuration. */
const ABSENT_IN_SOME_KERNELS =
  /^(AF_|NETLINK|lookup_dcookie|u(selib|stat)|iop|.*_module|kexec|bpf|io_uring|.*key|quotactl)/;

const isRoot = process.getuid?.() === 0;
const isolated = await bubblewrapHere();

describe('the walls of sandboxes', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-walls-'));
    await chmod(folder, 0o711);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const { signal } = new AbortController();
  const architecture = filterArchitecture(process.arch) ?? 'x64';
  const breaches = async (sandbox: Sandbox) => {
    const found = await breachesOf(sandbox, { folder, folders: [folder], architecture, signal });
    return found.map((text) => /^([^(]+?)(?: \((.*)\))?$/.exec(text)?.slice(1) ?? [text]);
  };
  const options = () => ({ runDirectory: folder, node: process.execPath });

  (process.platform === 'linux' ? it : it.skip)('are missing without a sandbox: every attack succeeds', async () => {
    const found = await breaches(new BareSandbox(options()));
    const names = found.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining([...ATTACKS, ...(isRoot ? ATTACKS_OF_ROOT : [])]));
    const calls = found.find(([name]) => name === 'kernel: denied system calls are executed')?.[1] ?? '';
    const forbidden = forbiddenCalls(architecture).map(([name]) => name);
    const missing = forbidden.filter((name) => !calls.split(', ').includes(name));
    if (isRoot) expect(missing.filter((name) => !ABSENT_IN_SOME_KERNELS.test(name))).toEqual([]);
  });

  (isolated ? it : it.skip)('hold in bubblewrap', async () => {
    const sandbox = await BubblewrapSandbox.open(options());
    await sandbox.examine(signal);
    expect(await breaches(sandbox)).toEqual([]);
  });

  (isolated ? it : it.skip)('hold in bubblewrap without control groups', async () => {
    await (await BubblewrapSandbox.open({ ...options(), groups: undefined })).examine(signal);
  });

  (isolated ? it : it.skip)('are reported when one is missing', async () => {
    const policy = new AddressPolicy({ allowed: ['0.0.0.0/0', '::/0'] });
    const open = await BubblewrapSandbox.open({ ...options(), policy });
    await expect(open.examine(signal)).rejects.toThrow(SandboxBreached);
    expect((await breaches(open)).map(([name]) => name)).toEqual(['network: the proxy connects to the host']);
  });

  (isolated ? it : it.skip)('are not reported when the examination is aborted', async () => {
    const sandbox = await BubblewrapSandbox.open(options());
    await expect(sandbox.examine(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
