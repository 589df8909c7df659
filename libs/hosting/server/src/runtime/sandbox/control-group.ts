import type { SandboxLimits } from '../application/sandbox.port';

/** The control group of one instance. */
export interface ControlGroup {
  add(pid: number): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Sends SIGKILL to all processes inside, frozen ones too. */
  kill(): Promise<void>;
  memoryBytes(): Promise<number>;
  /** The CPU time that it has used, in milliseconds. Synchronous and cheap, because it is read often. */
  cpuMs(): number;
  /** Whether it runs only while no other process of this machine needs the CPU. Kernels before 5.15 ignore it. */
  yieldCpu(isYielding: boolean): void;
  /** Whether the kernel killed a process for the memory limit. */
  isOutOfMemory(): Promise<boolean>;
  /** Removes the group as soon as it is empty. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  readonly version: 1 | 2;
  create(instanceId: string, limits: SandboxLimits): Promise<ControlGroup>;
  /** Kills and removes what runtimes left that have ended. */
  removeLeftovers(): Promise<void>;
}

/** Where the kernel shows control groups. */
export interface ControlGroupMounts {
  /** `/proc/self/mountinfo` */
  readonly mounts: string;
  /** `/proc/self/cgroup` */
  readonly own: string;
}
