import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Sandbox, type SandboxedProcess, type SandboxSpec } from '../application/sandbox.port';
import { SandboxBreached, SandboxUnavailable } from '../application/sandbox.errors';
import { userOf } from './app-user';
import { bubblewrapArguments, INSIDE, mountsOf } from './bubblewrap-arguments';
import { BubblewrapInstance, type BubblewrapSandboxOptions } from './bubblewrap-instance';
import { findControlGroups } from './control-groups';
import { breachesOf } from './examination';
import { GUEST_FOLDER, packageFolder } from './guest-files';
import { assertNodeIsProgram, assertNodeVersion } from './guest-node';
import { isLeftover } from './instance-names';
import { commandsAllowingNamespaces } from './namespace-settings';
import type { Architecture } from './system-calls';
import { AddressPolicy } from '@homeport/platform/server/network';
import { filterArchitecture, seccompFilter } from './seccomp-filter';

const run = promisify(execFile);

/** What the composition root decides; the rest is found on this machine. */
export type BubblewrapOptions = Pick<BubblewrapSandboxOptions, 'runDirectory' | 'node'> &
  Partial<Pick<BubblewrapSandboxOptions, 'program' | 'policy' | 'resolve' | 'groups'>>;

/** Runs each server in separate namespaces, with bubblewrap. */
export class BubblewrapSandbox extends Sandbox {
  private constructor(private readonly options: BubblewrapSandboxOptions & { readonly architecture: Architecture }) {
    super();
  }

  /**
   * Finds what this machine offers, and removes what an earlier runtime left.
   * @throws {SandboxUnavailable} on machines that are not Linux, or without a fitting bubblewrap.
   */
  static async open(options: BubblewrapOptions): Promise<BubblewrapSandbox> {
    const architecture = filterArchitecture(process.arch);
    if (process.platform !== 'linux' || architecture === undefined) {
      throw new SandboxUnavailable(`bubblewrap does not run on ${process.platform} ${process.arch}.`, {
        remedy: 'Run the runtime on Linux on x64 or arm64.',
      });
    }
    const program = options.program ?? 'bwrap';
    await mkdir(options.runDirectory, { recursive: true });
    // Another sandbox may have created it for this user alone.
    await chmod(options.runDirectory, 0o711);
    await checkMachine(program, options);
    const groups = 'groups' in options ? options.groups : await findControlGroups();
    await groups?.removeLeftovers();
    await removeFolders(options.runDirectory);
    const policy = options.policy ?? new AddressPolicy();
    const filter = seccompFilter(architecture);
    return new BubblewrapSandbox({ ...options, program, groups, policy, filter, architecture });
  }

  /** Whether the kernel limits memory, processes and CPU of each sandbox; otherwise each process limits itself. */
  get hasControlGroups(): boolean {
    return this.options.groups !== undefined;
  }

  async launch(spec: SandboxSpec): Promise<SandboxedProcess> {
    const instance = new BubblewrapInstance(spec, this.options);
    try {
      return await instance.launch();
    } catch (error) {
      await instance.remove();
      throw error;
    }
  }

  override async examine(signal: AbortSignal): Promise<void> {
    const { runDirectory, architecture } = this.options;
    const folders = ['/', '/usr', '/etc', '/dev', '/proc', '/homeport', INSIDE.run, INSIDE.guest, INSIDE.app];
    const breaches = await breachesOf(this, { folder: runDirectory, folders, architecture, signal });
    if (breaches.length > 0) throw new SandboxBreached(breaches);
  }
}

/** Removes the folders of instances whose runtime was killed. */
async function removeFolders(runDirectory: string): Promise<void> {
  const leftovers = (await readdir(runDirectory)).filter(isLeftover);
  await Promise.all(leftovers.map((name) => rm(join(runDirectory, name), { recursive: true, force: true })));
}

const PERMISSION_DENIED = /setting up uid map|No permissions to creat|Creating new namespace failed/;
const IN_A_CONTAINER =
  'In a container, its engine must allow them: see “The runtime in a container” in docs/operations.md.';

/** Runs Node in a sandbox once. @throws {SandboxUnavailable} with what to do. */
async function checkMachine(program: string, { node, runDirectory }: BubblewrapOptions): Promise<void> {
  await assertNodeIsProgram(node);
  const mounts = mountsOf({ app: GUEST_FOLDER, guest: GUEST_FOLDER, node, run: runDirectory, packageFolder });
  const args = [...bubblewrapArguments({ mounts, tmpBytes: 1024 ** 2 }), '--', INSIDE.node, '--version'];
  const { stdout } = await run(program, args, { env: {}, cwd: '/', ...userOf(runDirectory) }).catch(
    async (cause: Failure) => {
      const { reason, remedy } = await adviceFor(cause);
      throw new SandboxUnavailable(reason, { remedy, cause });
    },
  );
  assertNodeVersion(stdout, node);
}

interface Failure extends NodeJS.ErrnoException {
  readonly stderr?: string;
}

async function adviceFor({ code, stderr = '' }: Failure): Promise<{ reason: string; remedy?: string }> {
  if (code === 'ENOENT')
    return { reason: 'bubblewrap is not installed.', remedy: 'On Debian: apt-get install bubblewrap' };
  const text = stderr.trim();
  if (/Unknown option/.test(text))
    return { reason: `This bubblewrap is too old (${text}).`, remedy: 'Install version 0.8 or later.' };
  if (PERMISSION_DENIED.test(text)) {
    const commands = await commandsAllowingNamespaces();
    const remedy = commands.length > 0 ? `As root: ${commands.join(' && ')}` : IN_A_CONTAINER;
    return { reason: `This system does not let this user create namespaces (${text}).`, remedy };
  }
  if (/Permission denied/.test(text)) {
    const remedy = 'Choose another RUNTIME_DIR or installation folder, or let other users enter it: chmod o+x';
    return { reason: `The users of apps cannot reach a file (${text}).`, remedy };
  }
  return { reason: `bubblewrap does not work here: ${text || String(code)}` };
}
