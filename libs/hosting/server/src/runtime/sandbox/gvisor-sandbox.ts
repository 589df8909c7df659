import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AddressPolicy } from '@homeport/platform/server/network';
import { Sandbox, type SandboxedProcess, type SandboxSpec } from '../application/sandbox.port';
import { SandboxBreached, SandboxUnavailable } from '../application/sandbox.errors';
import { INSIDE } from './bubblewrap-arguments';
import { findControlGroups } from './control-groups';
import { breachesOf } from './examination';
import { GUEST_FOLDER } from './guest-files';
import { assertNodeIsProgram, assertNodeVersion } from './guest-node';
import { prepareRoot } from './gvisor-bundle';
import {
  GvisorInstance,
  type GvisorSandboxOptions,
  listContainers,
  mountsFor,
  removeContainer,
  runsc,
  rootFolder,
} from './gvisor-instance';
import { isLeftover } from './instance-names';
import { filterArchitecture } from './seccomp-filter';

const run = promisify(execFile);

/** What the composition root decides; the rest is found on this machine. */
export type GvisorOptions = Pick<GvisorSandboxOptions, 'runDirectory' | 'node'> &
  Partial<Pick<GvisorSandboxOptions, 'program' | 'policy' | 'resolve'>>;

/** Runs each server on a separate kernel in user space, with gVisor: apps do not reach the kernel of the host. */
export class GvisorSandbox extends Sandbox {
  private constructor(private readonly options: GvisorSandboxOptions) {
    super();
  }

  /**
   * Finds what this machine offers, and removes what an earlier runtime left.
   * @throws {SandboxUnavailable} without `runsc`, root or control groups.
   */
  static async open({
    program = 'runsc',
    policy = new AddressPolicy(),
    ...given
  }: GvisorOptions): Promise<GvisorSandbox> {
    await checkMachine({ ...given, program });
    const groups = await findControlGroups();
    if (!groups) {
      const remedy = 'Start the runtime as a service of systemd with Delegate=yes.';
      throw new SandboxUnavailable('gVisor needs control groups, which this process may not create.', { remedy });
    }
    const options = { ...given, program, policy, groups };
    const { runDirectory } = options;
    await mkdir(runDirectory, { recursive: true, mode: 0o711 });
    for (const name of (await listContainers(options)).filter(isLeftover)) await removeContainer(options, name);
    await groups.removeLeftovers();
    for (const name of (await readdir(runDirectory)).filter(isLeftover))
      await rm(join(runDirectory, name), { recursive: true, force: true });
    await prepareRoot(rootFolder(options), mountsFor(options, GUEST_FOLDER, runDirectory));
    return new GvisorSandbox(options);
  }

  async launch(spec: SandboxSpec): Promise<SandboxedProcess> {
    const instance = new GvisorInstance(spec, this.options);
    try {
      return await instance.launch();
    } catch (error) {
      await instance.remove();
      throw error;
    }
  }

  override async examine(signal: AbortSignal): Promise<void> {
    const folders = ['/', '/usr', '/etc', '/proc', '/homeport', INSIDE.run, INSIDE.guest, INSIDE.app];
    const { runDirectory: folder } = this.options;
    const architecture = filterArchitecture(process.arch) ?? 'x64';
    const breaches = await breachesOf(this, { folder, folders, architecture, hasOwnKernel: true, signal });
    if (breaches.length > 0) throw new SandboxBreached(breaches);
  }
}

/** @throws {SandboxUnavailable} with what to do. */
async function checkMachine(options: Pick<GvisorSandboxOptions, 'program' | 'runDirectory' | 'node'>): Promise<void> {
  if (process.platform !== 'linux') {
    const remedy = 'Run the runtime on Linux.';
    throw new SandboxUnavailable(`gVisor does not run on ${process.platform}.`, { remedy });
  }
  if (process.getuid?.() !== 0)
    throw new SandboxUnavailable('gVisor needs root.', { remedy: 'Start the runtime as root.' });
  await runsc(options, '--version').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw new SandboxUnavailable(`runsc does not work here: ${cause.message}`, { cause });
    const remedy = 'On Debian: apt-get install runsc. Other systems: https://gvisor.dev/docs/user_guide/install';
    throw new SandboxUnavailable('gVisor is not installed: runsc is not on the PATH.', { remedy, cause });
  });
  const { node } = options;
  await assertNodeIsProgram(node);
  const { stdout } = await run(node, ['--version'], { env: {} }).catch((cause: Error) => {
    const remedy = 'Set RUNTIME_NODE to the path of Node.js.';
    throw new SandboxUnavailable(`${node} does not run: ${cause.message}`, { remedy, path: node, cause });
  });
  assertNodeVersion(stdout, node);
}
