import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SandboxLimits } from '../application/sandbox.port';
import {
  createGroup,
  groupsBelow,
  isRemoved,
  processesIn,
  readNumber,
  readNumberSync,
  removeGroup,
  setIdle,
} from './control-group-files';
import { instanceName, GROUPS_FOLDER, isLeftover } from './instance-names';
import type { ControlGroup, ControlGroupMounts, ControlGroups } from './control-group';

const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
const CPU_PERIOD_MICROSECONDS = 100_000;
const FREEZE_POLL_MS = 1;

/** @returns undefined when the controllers are absent, or when this user may not create groups that have them. */
export async function controlGroupsV2(found: ControlGroupMounts): Promise<ControlGroups | undefined> {
  const own = ownFolder(found);
  const parent = own && ((await delegatedParent(own.folder)) ?? (await parentAbove(own.folder, own.mountPoint)));
  if (parent === undefined) return undefined;
  return {
    version: 2,
    create: (instanceId, limits) => create(join(parent, instanceName(instanceId)), limits),
    removeLeftovers: async () => {
      for (const name of (await groupsBelow(parent)).filter(isLeftover)) {
        const group = new GroupV2(join(parent, name));
        await group.kill();
        await group.remove();
      }
    },
  };
}

async function create(folder: string, { memoryBytes, processes, cpus }: SandboxLimits): Promise<ControlGroup> {
  await createGroup(folder, {
    'memory.max': String(memoryBytes),
    'memory.oom.group': '1',
    'pids.max': String(processes),
    'cpu.max': `${Math.round(cpus * CPU_PERIOD_MICROSECONDS)} ${CPU_PERIOD_MICROSECONDS}`,
  });
  // Absent on machines without swap.
  await writeFile(join(folder, 'memory.swap.max'), '0').catch(() => undefined);
  return new GroupV2(folder);
}

class GroupV2 implements ControlGroup {
  constructor(private readonly folder: string) {}

  add(pid: number): Promise<void> {
    return writeFile(join(this.folder, 'cgroup.procs'), String(pid));
  }

  async freeze(): Promise<void> {
    await this.set('cgroup.freeze', '1');
    const isFreezing = async () =>
      (await readNumber(this.folder, 'cgroup.events', 'populated')) === 1 &&
      (await readNumber(this.folder, 'cgroup.events', 'frozen')) === 0;
    while (await isFreezing()) await setTimeout(FREEZE_POLL_MS);
  }

  thaw(): Promise<void> {
    return this.set('cgroup.freeze', '0');
  }

  kill(): Promise<void> {
    return this.set('cgroup.kill', '1');
  }

  memoryBytes(): Promise<number> {
    return readNumber(this.folder, 'memory.current');
  }

  cpuMs(): number {
    return readNumberSync(this.folder, 'cpu.stat', 'usage_usec') / 1_000;
  }

  yieldCpu(isYielding: boolean): void {
    setIdle(this.folder, isYielding);
  }

  async isOutOfMemory(): Promise<boolean> {
    return (await readNumber(this.folder, 'memory.events', 'oom_kill')) > 0;
  }

  remove(): Promise<void> {
    return removeGroup(this.folder);
  }

  private async set(file: string, value: string): Promise<void> {
    await writeFile(join(this.folder, file), value).catch((error: NodeJS.ErrnoException) => {
      // The sandbox has ended.
      if (!isRemoved(error)) throw error;
    });
  }
}

/**
 * A group that was delegated to this process alone, as systemd does with `Delegate=yes` and container runtimes with a
 * writable cgroup: only groups without processes can pass controllers on, so this process moves into one below.
 */
async function delegatedParent(own: string): Promise<string | undefined> {
  try {
    const available = await readFile(join(own, 'cgroup.controllers'), 'utf8');
    if (!hasControllers(available)) return undefined;
    const processes = await processesIn(own);
    if (processes.some((pid) => pid !== process.pid)) return undefined;
    await createGroup(join(own, 'runtime'), { 'cgroup.procs': String(process.pid) });
    await enableControllers(own);
    return await groupsFolderIn(own);
  } catch {
    return undefined;
  }
}

/** The nearest group above that passes the controllers on and in which this user may create groups, such as root. */
async function parentAbove(own: string, mountPoint: string): Promise<string | undefined> {
  for (let folder = own; folder.startsWith(mountPoint); folder = dirname(folder)) {
    const enabled = await readFile(join(folder, 'cgroup.subtree_control'), 'utf8').catch(() => '');
    const parent = hasControllers(enabled) ? await groupsFolderIn(folder).catch(() => undefined) : undefined;
    if (parent !== undefined) return parent;
  }
  return undefined;
}

function hasControllers(list: string): boolean {
  return CONTROLLERS.every((name) => list.trim().split(' ').includes(name));
}

async function groupsFolderIn(folder: string): Promise<string> {
  const parent = join(folder, GROUPS_FOLDER);
  await createGroup(parent, {});
  await enableControllers(parent);
  return parent;
}

function enableControllers(folder: string): Promise<void> {
  return writeFile(join(folder, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '));
}

function ownFolder({ mounts, own }: ControlGroupMounts): { folder: string; mountPoint: string } | undefined {
  const mount = mounts.split('\n').find((line) => / - cgroup2 /.test(line));
  const path = own.split('\n').find((line) => line.startsWith('0::'));
  const [, , , root, mountPoint] = mount?.split(' ') ?? [];
  if (root === undefined || mountPoint === undefined || path === undefined) return undefined;
  const below = relative(root, path.slice('0::'.length));
  return { folder: below.startsWith('..') ? mountPoint : join(mountPoint, below), mountPoint };
}
