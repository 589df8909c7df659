import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asUnprivileged } from '@homeport/platform/server/testing';
import { findControlGroups } from './control-groups';
import { controlGroupsV1 } from './control-groups-v1';
import { controlGroupsV2 } from './control-groups-v2';

const LIMITS = { memoryBytes: 64 * 1024 ** 2, cpus: 0.5, processes: 20, tmpBytes: 1024 };

describe('control groups v2', () => {
  let root = '';
  const write = (folder: string, files: Record<string, string>) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(root, folder, name), text)));
  const found = () => ({ mounts: `30 20 0:25 / ${root} rw - cgroup2 cgroup2 rw`, own: '0::/app.service\n' });
  const settings = async (folder: string, name: string) => readFile(join(root, folder, name), 'utf8');

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'homeport-groups-'));
    await mkdir(join(root, 'app.service'));
    await write('.', { 'cgroup.subtree_control': 'cpuset cpu io memory pids\n', 'cgroup.procs': '1\n' });
  });
  afterEach(() => rm(root, { recursive: true }));

  it('uses the group of a service that was delegated to this process alone', async () => {
    const controllers = 'cpuset cpu io memory pids\n';
    await write('app.service', { 'cgroup.controllers': controllers, 'cgroup.procs': `${process.pid}\n` });
    const groups = await controlGroupsV2(found());
    expect(await settings('app.service/runtime', 'cgroup.procs')).toBe(String(process.pid));
    expect(await settings('app.service', 'cgroup.subtree_control')).toBe('+memory +pids +cpu');
    await groups!.create(randomUUID(), LIMITS);
    const parent = 'app.service/homeport-runtime';
    const [name] = (await readdir(join(root, parent), { withFileTypes: true })).filter((each) => each.isDirectory());
    const group = join(parent, name!.name);
    expect(await settings(group, 'memory.max')).toBe(String(LIMITS.memoryBytes));
    expect(await settings(group, 'memory.swap.max')).toBe('0');
    expect(await settings(group, 'pids.max')).toBe('20');
    expect(await settings(group, 'cpu.max')).toBe('50000 100000');
  });

  it('state the CPU time of an instance, and let it yield the CPU', async () => {
    await write('app.service', { 'cgroup.controllers': 'cpu memory pids\n', 'cgroup.procs': `${process.pid}\n` });
    const groups = await controlGroupsV2(found());
    const created = await groups!.create(randomUUID(), LIMITS);
    const parent = 'app.service/homeport-runtime';
    const [name] = (await readdir(join(root, parent), { withFileTypes: true })).filter((each) => each.isDirectory());
    const group = join(parent, name!.name);
    expect(created.cpuMs()).toBe(0);
    await write(group, { 'cpu.stat': 'usage_usec 1500\nuser_usec 1000\n' });
    expect(created.cpuMs()).toBe(1.5);
    created.yieldCpu(true);
    expect(await settings(group, 'cpu.idle')).toBe('1');
    created.yieldCpu(false);
    expect(await settings(group, 'cpu.idle')).toBe('0');
  });

  it('uses a group above, as root, when others share its own', async () => {
    const shared = { 'cgroup.controllers': 'cpu memory pids\n', 'cgroup.procs': `1\n${process.pid}\n` };
    await write('app.service', { ...shared, 'cgroup.subtree_control': '\n' });
    expect(await controlGroupsV2(found())).toMatchObject({ version: 2 });
    expect(await settings('homeport-runtime', 'cgroup.subtree_control')).toBe('+memory +pids +cpu');
    await expect(access(join(root, 'app.service/runtime'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('are absent without their controllers', async () => {
    await write('.', { 'cgroup.subtree_control': '\n' });
    await write('app.service', { 'cgroup.controllers': 'hugetlb\n', 'cgroup.procs': `${process.pid}\n` });
    expect(await controlGroupsV2(found())).toBeUndefined();
    expect(await controlGroupsV2({ mounts: '', own: '' })).toBeUndefined();
    expect(await controlGroupsV1({ mounts: '', own: '' })).toBeUndefined();
  });
});

describe('control groups v1', () => {
  const CPU = 'cpu,cpuacct';
  const hierarchies = ['memory', 'pids', CPU, 'freezer'];
  let root = '';
  const found = () => ({
    mounts: hierarchies.map((name) => `30 20 0:25 / ${root}/${name} rw - cgroup cgroup rw,${name}`).join('\n'),
    own: hierarchies.map((name, at) => `${at}:${name}:/app`).join('\n'),
  });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'homeport-groups-'));
    for (const name of hierarchies) {
      await mkdir(join(root, name, 'app/homeport-runtime'), { recursive: true });
      // Another user owned a runtime here, and gave its groups to everyone.
      await chmod(join(root, name, 'app/homeport-runtime'), 0o777);
      await chmod(join(root, name, 'app'), 0o777);
    }
    await chmod(root, 0o755);
  });
  afterEach(() => rm(root, { recursive: true }));
  const version = async () => (await asUnprivileged(() => controlGroupsV1(found())))?.version;

  it('are used where this user may create groups, and leave no group', async () => {
    expect(await version()).toBe(1);
    expect(await readdir(join(root, CPU, 'app'))).toEqual(['homeport-runtime']);
    expect(await readdir(join(root, CPU, 'app/homeport-runtime'))).toEqual([]);
  });

  it.each([...hierarchies.map((name) => `${name}/app/homeport-runtime`), `${CPU}/app`])(
    'are absent when %s exists and is read-only for this user',
    async (folder) => {
      await chmod(join(root, folder), 0o555);
      expect(await version()).toBeUndefined();
    },
  );
});

const groups = await findControlGroups();
if (groups === undefined) process.stderr.write('This user may not create control groups: their tests are skipped.\n');

(groups === undefined ? describe.skip : describe)('control groups of this machine', () => {
  const node = (code: string): ChildProcess =>
    spawn('/bin/sh', ['-c', 'read -r _ && exec "$@"', 'sh', process.execPath, '-e', code], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  const inGroup = async (child: ChildProcess, limits = LIMITS) => {
    const group = await groups!.create(randomUUID(), limits);
    await group.add(child.pid!);
    child.stdin!.end('\n');
    return group;
  };

  it('limit memory, and tell it from other exits', async () => {
    const allocate = async (memoryBytes: number) => {
      const child = node(
        'for (const all = []; all.length < 32; ) all.push(Buffer.alloc(4194304, 1)); process.exit(7);',
      );
      const group = await inGroup(child, { ...LIMITS, memoryBytes });
      const exit = await once(child, 'exit');
      const isOutOfMemory = await group.isOutOfMemory();
      await group.remove();
      return { exit, isOutOfMemory };
    };
    expect(await allocate(512 * 1024 ** 2)).toEqual({ exit: [7, null], isOutOfMemory: false });
    expect(await allocate(LIMITS.memoryBytes)).toEqual({ exit: [null, 'SIGKILL'], isOutOfMemory: true });
  });

  it('limit processes', async () => {
    const refused = async (processes: number) => {
      const child = node(`const { spawn } = require('node:child_process');
        const all = Array.from({ length: 30 }, () => spawn('sleep', ['60']).on('error', () => undefined));
        setImmediate(() => { console.log(all.filter(({ pid }) => pid === undefined).length); process.exit(); });`);
      const group = await inGroup(child, { ...LIMITS, processes });
      const [count] = (await once(child.stdout!, 'data')) as [Buffer];
      await group.kill();
      await group.remove();
      return Number(count);
    };
    expect(await refused(200)).toBe(0);
    expect(await refused(LIMITS.processes)).toBeGreaterThan(9);
  });

  it('limit CPU', async () => {
    /** The milliseconds in which a process uses 0.3 s of CPU. */
    const spin = async (cpus: number) => {
      const child = node(`const started = Date.now(); const before = process.cpuUsage().user;
        while (process.cpuUsage().user - before < 300_000); console.log(Date.now() - started);`);
      const group = await inGroup(child, { ...LIMITS, cpus });
      const [milliseconds] = (await once(child.stdout!, 'data')) as [Buffer];
      expect(group.cpuMs()).toBeGreaterThan(250);
      await group.kill();
      await group.remove();
      return Number(milliseconds);
    };
    // Without a limit it takes as long as the other processes of this machine let it.
    expect(await spin(64)).toBeGreaterThan(250);
    // A quarter of a core; the first and the last period may be free.
    expect(await spin(0.25)).toBeGreaterThan(900);
  });

  it('let an instance yield the CPU, more than once and after its end', async () => {
    const child = node('console.log("ready"); setInterval(() => undefined, 1000)');
    const group = await inGroup(child);
    await once(child.stdout!, 'data');
    for (const isYielding of [true, true, false]) group.yieldCpu(isYielding);
    await group.kill();
    await group.remove();
    group.yieldCpu(true);
    expect(group.cpuMs()).toBe(0);
  });

  it('kill frozen processes', async () => {
    const child = node('console.log("ready"); setInterval(() => undefined, 1000)');
    const group = await inGroup(child);
    await once(child.stdout!, 'data');
    await group.freeze();
    const exited = once(child, 'exit');
    await group.kill();
    expect(await exited).toEqual([null, 'SIGKILL']);
    await group.remove();
    await group.remove();
    await group.freeze();
    await group.thaw();
    expect(await group.isOutOfMemory()).toBe(false);
  });
});
