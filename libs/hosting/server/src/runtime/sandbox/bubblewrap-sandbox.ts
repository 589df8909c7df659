import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Sandbox, type SandboxedProcess, type SandboxSpec } from '../application/sandbox.port';
import { SandboxUnavailable } from '../application/sandbox.errors';
import { BubblewrapInstance, type BubblewrapSandboxOptions } from './bubblewrap-instance';
import { findControlGroups } from './control-groups';
import { EgressPolicy } from './egress-policy';
import { filterArchitecture, seccompFilter } from './seccomp-filter';

const run = promisify(execFile);

/** What the composition root decides; the rest is found on this machine. */
export type BubblewrapOptions = Pick<BubblewrapSandboxOptions, 'runDirectory' | 'node'> &
  Partial<Pick<BubblewrapSandboxOptions, 'program' | 'policy' | 'resolve' | 'groups'>>;

/** Runs each server in namespaces of its own, with bubblewrap. */
export class BubblewrapSandbox extends Sandbox {
  private constructor(private readonly options: BubblewrapSandboxOptions) {
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
    await checkProgram(program);
    const groups = 'groups' in options ? options.groups : await findControlGroups();
    await groups?.removeLeftovers();
    await mkdir(options.runDirectory, { recursive: true, mode: 0o711 });
    const policy = options.policy ?? new EgressPolicy();
    return new BubblewrapSandbox({ ...options, program, groups, policy, filter: seccompFilter(architecture) });
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

  override async examine(): Promise<void> {
    return undefined;
  }
}

async function checkProgram(program: string): Promise<void> {
  const help = await run(program, ['--help']).catch((error: unknown) => {
    throw new SandboxUnavailable(`bubblewrap is not installed. On Debian: apt-get install bubblewrap`, {
      cause: error,
    });
  });
  for (const option of ['--disable-userns', '--size']) {
    if (!help.stdout.includes(option) && !help.stderr.includes(option)) {
      throw new SandboxUnavailable(`This bubblewrap has no option ${option}. Install version 0.8 or later.`);
    }
  }
}
