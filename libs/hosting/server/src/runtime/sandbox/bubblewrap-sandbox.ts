import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
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
import { isLeftover } from './instance-names';
import type { Architecture } from './system-calls';
import { EgressPolicy } from './egress-policy';
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
      throw new SandboxUnavailable(`bubblewrap does not run on ${process.platform} ${process.arch}.`);
    }
    const program = options.program ?? 'bwrap';
    await mkdir(options.runDirectory, { recursive: true, mode: 0o711 });
    await checkMachine(program, options);
    const groups = 'groups' in options ? options.groups : await findControlGroups();
    await groups?.removeLeftovers();
    await removeFolders(options.runDirectory);
    const policy = options.policy ?? new EgressPolicy();
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
/** The first version with `http.setGlobalProxyFromEnv`, which `guest.mjs` calls. */
const OLDEST_NODE = { major: 24, minor: 14 };

/** Runs Node in a sandbox once. @throws {SandboxUnavailable} with what to do. */
async function checkMachine(program: string, { node, runDirectory }: BubblewrapOptions): Promise<void> {
  const mounts = mountsOf({ app: GUEST_FOLDER, guest: GUEST_FOLDER, node, run: runDirectory, packageFolder });
  const args = [...bubblewrapArguments({ mounts, tmpBytes: 1024 ** 2 }), '--', INSIDE.node, '--version'];
  const { stdout } = await run(program, args, { env: {}, cwd: '/', ...userOf(runDirectory) }).catch(
    (error: unknown) => {
      throw new SandboxUnavailable(adviceFor(error as Failure), { cause: error });
    },
  );
  const [, major, minor] = (/^v(\d+)\.(\d+)\./.exec(stdout) ?? []).map(Number);
  if (isNewEnough(major, minor)) return;
  throw new SandboxUnavailable(
    `Apps need Node.js ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or later; ${node} is ${stdout.trim()}. Set RUNTIME_NODE.`,
  );
}

function isNewEnough(major = 0, minor = 0): boolean {
  return major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
}

interface Failure extends NodeJS.ErrnoException {
  readonly stderr?: string;
}

function adviceFor({ code, stderr = '' }: Failure): string {
  if (code === 'ENOENT') return 'bubblewrap is not installed. On Debian: apt-get install bubblewrap';
  const reason = stderr.trim();
  if (/Unknown option/.test(reason)) return `This bubblewrap is too old (${reason}): install version 0.8 or later.`;
  if (PERMISSION_DENIED.test(reason)) return `This system does not let this user create namespaces (${reason}).`;
  if (/Permission denied/.test(reason))
    return `The users of apps cannot reach a file (${reason}). Choose another folder.`;
  return `bubblewrap does not work here: ${reason || String(code)}`;
}
