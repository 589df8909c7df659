import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
    const child = node('const all = []; for (;;) all.push(Buffer.alloc(4194304, 1));');
    const group = await inGroup(child);
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await group.isOutOfMemory()).toBe(true);
    await group.remove();
  });

  it('limit processes', async () => {
    const child = node(`const { spawn } = require('node:child_process');
      const all = Array.from({ length: 30 }, () => spawn('sleep', ['60']).on('error', () => undefined));
      setImmediate(() => { console.log(all.filter(({ pid }) => pid === undefined).length); process.exit(); });`);
    const group = await inGroup(child);
    const [refused] = (await once(child.stdout!, 'data')) as [Buffer];
    expect(Number(refused)).toBeGreaterThan(9);
    await group.kill();
    await group.remove();
  });

  it('limit CPU', async () => {
    const child = node(`const started = Date.now(); const before = process.cpuUsage().user;
      while (process.cpuUsage().user - before < 300_000); console.log(Date.now() - started);`);
    const group = await inGroup(child, { ...LIMITS, cpus: 0.25 });
    const [milliseconds] = (await once(child.stdout!, 'data')) as [Buffer];
    // 0.3 s of CPU at a quarter of a core; the first and the last period may be free.
    expect(Number(milliseconds)).toBeGreaterThan(900);
    await group.kill();
    await group.remove();
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
