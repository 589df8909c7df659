import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GUEST_FOLDER } from './guest-files';

/** What the kernel allows this process: users, capabilities and filters. */
const RIGHTS = /^(?:Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp\w*):.*$/gm;
/** Changed by a restart of the machine, by security modules, control groups, and settings for namespaces. */
const KERNEL_FILES = [
  '/proc/sys/kernel/random/boot_id',
  '/proc/self/attr/current',
  '/proc/self/cgroup',
  '/proc/sys/user/max_user_namespaces',
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
];
const PROGRAM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

export interface PassedExaminationOptions {
  /** A folder that apps cannot write. */
  readonly folder: string;
  /** Names the kind of sandbox. */
  readonly sandbox: string;
  /** Programs that run in the sandbox, or make it: paths, or names in the folders of the system. */
  readonly programs: readonly string[];
}

/** Records that a sandbox passed its examination, until the machine, its settings or the programs change. */
export class PassedExamination {
  readonly #path: string;

  constructor(private readonly options: PassedExaminationOptions) {
    this.#path = join(options.folder, 'examination');
  }

  /** Whether the sandbox has passed, and nothing has changed since. */
  async isValid(): Promise<boolean> {
    const recorded = await readFile(this.#path, 'utf8').catch(() => undefined);
    return recorded === (await this.#circumstances());
  }

  async record(): Promise<void> {
    const incomplete = `${this.#path}.new`;
    await writeFile(incomplete, await this.#circumstances(), { mode: 0o600 });
    await rename(incomplete, this.#path);
  }

  /** The next runtime waits for its examination. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async #circumstances(): Promise<string> {
    const { sandbox, programs } = this.options;
    const rights = (await readOrEmpty('/proc/self/status')).match(RIGHTS) ?? [];
    const kernel = await Promise.all(KERNEL_FILES.map(readOrEmpty));
    const files = [
      ...programs.flatMap(pathsOf),
      ...(await filesIn(GUEST_FOLDER)),
      ...(await filesIn(import.meta.dirname)),
    ];
    const versions = await Promise.all(files.map(versionOf));
    return createHash('sha256')
      .update(JSON.stringify([sandbox, rights, kernel, versions]))
      .digest('hex');
  }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).sort().map((name) => join(folder, name));
}

function pathsOf(program: string): readonly string[] {
  if (program.includes('/')) return [program];
  return PROGRAM_FOLDERS.map((folder) => join(folder, program));
}

/** Changes when the file is replaced or written; empty when it is absent. */
async function versionOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? '' : [path, found.dev, found.ino, found.size, found.mtimeMs].join(' ');
}

/** Systems lack some of the files. */
function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
