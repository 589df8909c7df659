import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SandboxedProcess, SandboxExit, SandboxSpec } from '../application/sandbox.port';
import type { AddressPolicy } from '@homeport/platform/server/network';
import { APP_PORT, GATE, INSIDE, type Mount, mountsOf, PROXY_URL } from './bubblewrap-arguments';
import { signalOf } from './bubblewrap-instance';
import { createCacheFolder } from './cache-folder';
import { CpuPriority } from './cpu-priority';
import type { ControlGroup, ControlGroups } from './control-group';
import { EgressProxy, type ResolveHostname } from './egress-proxy';
import { GATE_SCRIPT } from './gate';
import { GuestChannel } from './guest-channel';
import { guestEnvironment } from './guest-command';
import { GUEST_FOLDER, packageFolder } from './guest-files';
import { type GuestExit, GuestProcess } from './guest-process';
import { ociConfig } from './gvisor-bundle';
import { instanceName } from './instance-names';
import { LaunchedProcess } from './launched-process';

const run = promisify(execFile);
/** Where systems install programs. */
const PROGRAM_PATH = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
/** Threads of gVisor itself, which the control group counts as well. */
const OWN_THREADS = 256;

export interface GvisorSandboxOptions {
  /** Folder for sockets and bundles. */
  readonly runDirectory: string;
  /** Path of the Node binary for apps. */
  readonly node: string;
  /** Path of `runsc`. */
  readonly program: string;
  readonly groups: ControlGroups;
  readonly policy: AddressPolicy;
  readonly resolve?: ResolveHostname;
}

/** The folder below which everything is mounted, and that of the state of `runsc`. */
export const rootFolder = ({ runDirectory }: Pick<GvisorSandboxOptions, 'runDirectory'>) => join(runDirectory, 'root');
const stateFolder = ({ runDirectory }: Pick<GvisorSandboxOptions, 'runDirectory'>) => join(runDirectory, 'gvisor');

/** The options of every `runsc` command. Apps reach the sockets of their folder and no network. */
export function runscArguments(options: Pick<GvisorSandboxOptions, 'runDirectory'>): readonly string[] {
  const isolation = ['--network=none', '--host-uds=all', '--ignore-cgroups'];
  return [`--root=${stateFolder(options)}`, ...isolation];
}

/** Everything that belongs to one sandbox of gVisor on the host. */
export class GvisorInstance {
  private proxy: EgressProxy | undefined;
  private group: ControlGroup | undefined;
  private priority: CpuPriority | undefined;
  private channel: GuestChannel | undefined;
  private readonly name: string;
  private readonly folder: string;

  constructor(
    private readonly spec: SandboxSpec,
    private readonly options: GvisorSandboxOptions,
  ) {
    this.name = instanceName(spec.instanceId);
    this.folder = join(options.runDirectory, this.name);
  }

  async launch(): Promise<SandboxedProcess> {
    const { spec, options } = this;
    const sockets = join(this.folder, 'run');
    // Only gVisor, as root, uses the folder.
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await mkdir(sockets);
    await createCacheFolder(spec);
    const limits = { ...spec.limits, processes: spec.limits.processes + OWN_THREADS };
    const onRefused = (line: string) => spec.onLine({ stream: 'system', line });
    [this.proxy, this.group, this.channel] = await Promise.all([
      EgressProxy.listen(join(sockets, 'egress'), { ...options, onRefused }),
      options.groups.create(spec.instanceId, limits),
      GuestChannel.listen(sockets),
    ]);
    const guest = await this.start(this.channel, mountsFor(options, spec.appFolder, sockets));
    await this.group.add(guest.pid);
    this.priority = new CpuPriority(this.group);
    guest.pipe(GATE).end('\n');
    const exited = guest.closed.then((exit) => this.close(exit));
    return new LaunchedProcess(guest, exited, this.group);
  }

  /** Removes everything of the instance from the host. */
  async remove(): Promise<void> {
    this.channel?.close();
    this.priority?.stop();
    await this.group?.kill();
    await removeContainer(this.options, this.name);
    await Promise.all([this.group?.remove(), this.proxy?.close(), rm(this.folder, { recursive: true, force: true })]);
  }

  private async start(channel: GuestChannel, mounts: readonly Mount[]): Promise<GuestProcess> {
    const { spec, options, folder } = this;
    const bundle = { root: rootFolder(options), mounts, ...GuestChannel.pathsIn(INSIDE.run) };
    await writeFile(join(folder, 'config.json'), JSON.stringify(ociConfig(spec, bundle)));
    const command = [options.program, ...runscArguments(options), 'run', `--bundle=${folder}`, this.name];
    return GuestProcess.start({
      command: '/bin/sh',
      args: ['-c', GATE_SCRIPT, 'sh', ...command],
      visibleEnvironment: PROGRAM_PATH,
      environment: guestEnvironment(spec, {
        port: APP_PORT,
        temporaryFolder: INSIDE.temporary,
        proxyUrl: PROXY_URL,
      }),
      cwd: '/',
      descriptors: ['pipe'],
      folder,
      channel,
      onLine: spec.onLine,
    });
  }

  private async close({ code, signal, isHeapExhausted }: GuestExit): Promise<SandboxExit> {
    const isOutOfMemory = isHeapExhausted || ((await this.group?.isOutOfMemory()) ?? false);
    await this.remove();
    const inner = isOutOfMemory ? 'SIGKILL' : (signal ?? signalOf(code));
    return inner === null ? { code, signal: null, isOutOfMemory: false } : { code: null, signal: inner, isOutOfMemory };
  }
}

/** What every instance sees read-only, apart from its files and sockets. */
export function mountsFor(
  { node }: Pick<GvisorSandboxOptions, 'node'>,
  app: string,
  sockets: string,
): readonly Mount[] {
  return mountsOf({ app, guest: GUEST_FOLDER, node, run: sockets, packageFolder });
}

/** Removes a container, which may not exist. */
export async function removeContainer(options: RunscOptions, name: string): Promise<void> {
  await runsc(options, 'delete', '--force', name).catch(() => undefined);
}

/** The containers that runtimes left, by name. */
export async function listContainers(options: RunscOptions): Promise<readonly string[]> {
  return (await runsc(options, 'list', '--quiet')).split('\n').filter(Boolean);
}

type RunscOptions = Pick<GvisorSandboxOptions, 'program' | 'runDirectory'>;

/** Runs a command of `runsc`. @returns what it prints. */
export async function runsc(options: RunscOptions, ...command: readonly string[]): Promise<string> {
  const { stdout } = await run(options.program, [...runscArguments(options), ...command], { env: PROGRAM_PATH });
  return stdout;
}
