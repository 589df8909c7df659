import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
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
import { signalProcess } from './process-memory';

const CONTROLLERS = ['memory', 'pids', 'cpu', 'cpuacct', 'freezer'] as const;
type Controller = (typeof CONTROLLERS)[number];
/** The folder of a group in each hierarchy. */
type Folders = Readonly<Record<Controller, string>>;

const CPU_PERIOD_MICROSECONDS = 100_000;
const FREEZE_POLL_MS = 1;

/** @returns undefined when a hierarchy is absent or read-only for this user. */
export async function controlGroupsV1(found: ControlGroupMounts): Promise<ControlGroups | undefined> {
  const folders = ownFolders(found);
  if (folders === undefined) return undefined;
  const parents = mapFolders(folders, (folder) => join(folder, GROUPS_FOLDER));
  try {
    await Promise.all(Object.values(parents).map((folder) => createGroup(folder, {})));
    // A runtime of another user may have created these folders.
    const used = new Set([...Object.values(parents), folders.cpu]);
    for (const folder of used) await tryGroup(folder);
  } catch {
    return undefined;
  }
  const below = (name: string): Folders => {
    const cpu = besides(folders.cpu, name);
    const nested = mapFolders(parents, (folder) => join(folder, name));
    // Most systems mount both controllers as one hierarchy, in which a process is in one group.
    return { ...nested, cpu, cpuacct: folders.cpuacct === folders.cpu ? cpu : nested.cpuacct };
  };
  return {
    version: 1,
    create: (instanceId, limits) => create(below(instanceName(instanceId)), limits),
    removeLeftovers: async () => {
      const names = await Promise.all(Object.values(parents).map(groupsBelow));
      const beside = (await groupsBelow(folders.cpu)).flatMap((name) => name.split(BESIDE).slice(1));
      const leftovers = new Set([...names.flat(), ...beside].filter(isLeftover));
      for (const name of leftovers) await new GroupV1(below(name)).killAndRemove();
    },
  };
}

/** @throws {Error} when this user may not create groups in the folder. */
async function tryGroup(folder: string): Promise<void> {
  const group = join(folder, `${GROUPS_FOLDER}-probe-${process.pid}`);
  await createGroup(group, {});
  await removeGroup(group);
}

const BESIDE = `${GROUPS_FOLDER}-`;

/**
 * The CPU group of an instance is beside this process and not below a group of all instances: a group that yields the
 * CPU yields only to what is beside it.
 */
function besides(folder: string, name: string): string {
  return join(folder, BESIDE + name);
}

async function create(folders: Folders, { memoryBytes, processes, cpus }: SandboxLimits): Promise<ControlGroup> {
  await Promise.all([
    createGroup(folders.memory, { 'memory.limit_in_bytes': String(memoryBytes) }),
    createGroup(folders.pids, { 'pids.max': String(processes) }),
    createGroup(folders.cpu, {
      'cpu.cfs_period_us': String(CPU_PERIOD_MICROSECONDS),
      'cpu.cfs_quota_us': String(Math.round(cpus * CPU_PERIOD_MICROSECONDS)),
    }),
    createGroup(folders.cpuacct, {}),
    createGroup(folders.freezer, {}),
  ]);
  return new GroupV1(folders);
}

class GroupV1 implements ControlGroup {
  constructor(private readonly folders: Folders) {}

  async add(pid: number): Promise<void> {
    await Promise.all(
      Object.values(this.folders).map((folder) => writeFile(join(folder, 'cgroup.procs'), String(pid))),
    );
  }

  async freeze(): Promise<void> {
    await this.setState('FROZEN');
    // The kernel freezes one process after the other.
    while ((await this.state()) === 'FREEZING') await setTimeout(FREEZE_POLL_MS);
  }

  thaw(): Promise<void> {
    return this.setState('THAWED');
  }

  async kill(): Promise<void> {
    for (const pid of await processesIn(this.folders.pids)) signalProcess(pid, 'SIGKILL');
    // Frozen processes receive the signal when they are thawed.
    await this.thaw();
  }

  memoryBytes(): Promise<number> {
    return readNumber(this.folders.memory, 'memory.usage_in_bytes');
  }

  cpuMs(): number {
    return readNumberSync(this.folders.cpuacct, 'cpuacct.usage') / 1e6;
  }

  yieldCpu(isYielding: boolean): void {
    setIdle(this.folders.cpu, isYielding);
  }

  async isOutOfMemory(): Promise<boolean> {
    return (await readNumber(this.folders.memory, 'memory.oom_control', 'oom_kill')) > 0;
  }

  async remove(): Promise<void> {
    await Promise.all(Object.values(this.folders).map(removeGroup));
  }

  async killAndRemove(): Promise<void> {
    await this.kill();
    await this.remove();
  }

  private async setState(state: 'FROZEN' | 'THAWED'): Promise<void> {
    await writeFile(join(this.folders.freezer, 'freezer.state'), state).catch((error: NodeJS.ErrnoException) => {
      // The sandbox has ended.
      if (!isRemoved(error)) throw error;
    });
  }

  private async state(): Promise<string> {
    return (await readFile(join(this.folders.freezer, 'freezer.state'), 'utf8').catch(() => '')).trim();
  }
}

/** The group of this process in each hierarchy. */
function ownFolders({ mounts, own }: ControlGroupMounts): Folders | undefined {
  const found = CONTROLLERS.map((controller) => [controller, ownFolder(controller, mounts, own)] as const);
  if (found.some(([, folder]) => folder === undefined)) return undefined;
  return Object.fromEntries(found) as unknown as Folders;
}

function ownFolder(controller: Controller, mounts: string, own: string): string | undefined {
  const isOf = (list = '') => list.split(',').includes(controller);
  const mount = mounts.split('\n').find((line) => / - cgroup /.test(line) && isOf(line.split(' ').at(-1)));
  const path = own.split('\n').find((line) => isOf(line.split(':')[1]));
  const [, , , root, mountPoint] = mount?.split(' ') ?? [];
  if (root === undefined || mountPoint === undefined || path === undefined) return undefined;
  const below = relative(root, path.split(':').slice(2).join(':'));
  // Container runtimes mount only the group of the container, which is then the top of what is visible.
  return below.startsWith('..') ? mountPoint : join(mountPoint, below);
}

function mapFolders(folders: Folders, change: (folder: string) => string): Folders {
  return Object.fromEntries(
    Object.entries(folders).map(([name, folder]) => [name, change(folder)]),
  ) as unknown as Folders;
}
