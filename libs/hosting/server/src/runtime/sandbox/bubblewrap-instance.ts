import { chmod, mkdir, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { SandboxedProcess, SandboxExit, SandboxSpec } from '../application/sandbox.port';
import { userOf } from './app-user';
import { createCacheFolder } from './cache-folder';
import { CpuPriority } from './cpu-priority';
import * as inside from './bubblewrap-arguments';
import type { ControlGroup, ControlGroups } from './control-group';
import type { AddressPolicy } from '@homeport/platform/server/network';
import { EgressProxy, type ResolveHostname } from './egress-proxy';
import { GATE_SCRIPT } from './gate';
import { guestEnvironment, nodeArguments } from './guest-command';
import { GUEST_FOLDER, packageFolder } from './guest-files';
import { type GuestExit, GuestProcess } from './guest-process';
import { instanceName } from './instance-names';
import { LaunchedProcess } from './launched-process';
import { ProcessTree } from './process-tree';

export interface BubblewrapSandboxOptions {
  /** Folder for sockets. As root, other users must be able to reach it. */
  readonly runDirectory: string;
  /** Path of the Node binary for apps. */
  readonly node: string;
  /** Path of `bwrap`. */
  readonly program: string;
  /** The seccomp filter for this architecture. */
  readonly filter: Buffer;
  /** Absent when this user may not create control groups. */
  readonly groups: ControlGroups | undefined;
  readonly policy: AddressPolicy;
  readonly resolve?: ResolveHostname;
}

/** bubblewrap and gVisor report a signal as exit code 128 + its number. */
const SIGNAL_EXIT_CODES = 128;

/** Everything that belongs to one sandbox on the host. */
export class BubblewrapInstance {
  private proxy: EgressProxy | undefined;
  private group: ControlGroup | undefined;
  private priority: CpuPriority | undefined;
  private readonly folder: string;

  constructor(
    private readonly spec: SandboxSpec,
    private readonly options: BubblewrapSandboxOptions,
  ) {
    this.folder = join(options.runDirectory, instanceName(spec.instanceId));
  }

  async launch(): Promise<SandboxedProcess> {
    const { spec, options } = this;
    const run = join(this.folder, 'run');
    await mkdir(run, { recursive: true });
    await createCacheFolder(spec);
    // Reachable for the user of the app; the id of the instance cannot be guessed, and the folder above not be listed.
    for (const folder of [this.folder, run]) await chmod(folder, 0o711);
    const onRefused = (line: string) => spec.onLine({ stream: 'system', line });
    [this.proxy, this.group] = await Promise.all([
      EgressProxy.listen(join(run, 'egress'), { ...options, onRefused }),
      options.groups?.create(spec.instanceId, spec.limits),
    ]);
    const guest = await this.start(run);
    await this.group?.add(guest.pid);
    this.priority = this.group && new CpuPriority(this.group);
    guest.pipe(inside.GATE).end('\n');
    const exited = guest.closed.then((exit) => this.close(exit));
    return new LaunchedProcess(guest, exited, this.group ?? new ProcessTree(guest.pid));
  }

  /** Removes everything of the instance from the host. */
  async remove(): Promise<void> {
    this.priority?.stop();
    await this.group?.kill();
    await Promise.all([this.group?.remove(), this.proxy?.close(), rm(this.folder, { recursive: true, force: true })]);
  }

  private async start(run: string): Promise<GuestProcess> {
    const { spec, options, folder } = this;
    const mounts = inside.mountsOf({
      app: spec.appFolder,
      guest: GUEST_FOLDER,
      node: options.node,
      run,
      packageFolder,
    });
    const guest = await GuestProcess.start({
      command: '/bin/sh',
      args: ['-c', GATE_SCRIPT, 'sh', options.program, '--args', String(inside.ARGUMENTS), ...this.command()],
      visibleEnvironment: {},
      environment: guestEnvironment(spec, {
        port: inside.APP_PORT,
        temporaryFolder: inside.INSIDE.temporary,
        proxyUrl: inside.PROXY_URL,
      }),
      cwd: '/',
      user: userOf(spec.appId),
      descriptors: ['pipe', 'pipe', 'pipe'],
      folder,
      onLine: spec.onLine,
    });
    const { tmpBytes } = spec.limits;
    const { cacheFolder } = spec.plan;
    const args = [
      ...inside.bubblewrapArguments({ mounts, tmpBytes, cacheFolder }),
      ...['--seccomp', String(inside.SECCOMP)],
    ];
    guest.pipe(inside.ARGUMENTS).end(args.map((each) => `${each}\0`).join(''));
    guest.pipe(inside.SECCOMP).end(options.filter);
    return guest;
  }

  private command(): readonly string[] {
    const { spec, group } = this;
    const limits = group === undefined ? inside.limitCommand(spec.limits) : [];
    return ['--', ...limits, inside.INSIDE.node, ...nodeArguments(spec, inside.INSIDE)];
  }

  private async close({ code, signal, isHeapExhausted }: GuestExit): Promise<SandboxExit> {
    const isOutOfMemory = isHeapExhausted || ((await this.group?.isOutOfMemory()) ?? false);
    await this.remove();
    const inner = signal ?? signalOf(code);
    return inner === null ? { code, signal: null, isOutOfMemory: false } : { code: null, signal: inner, isOutOfMemory };
  }
}

export function signalOf(code: number | null): NodeJS.Signals | null {
  if (code === null || code <= SIGNAL_EXIT_CODES) return null;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - SIGNAL_EXIT_CODES);
  return (found?.[0] as NodeJS.Signals | undefined) ?? null;
}
