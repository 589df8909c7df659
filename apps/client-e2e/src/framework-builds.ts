import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const EXAMPLES = join(import.meta.dirname, '../frameworks');
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/homeport-frameworks');
/** What npm needs from the shell. The variables of a test run, such as NODE_ENV, would change the builds. */
const PASSED_ON =
  /^(PATH|HOME|LANG|TMPDIR|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache|userconfig))$/i;
const WITHOUT_TELEMETRY = {
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  NUXT_TELEMETRY_DISABLED: '1',
};
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

/**
 * Builds an example as a builder does: installs its pinned packages without their install scripts, and runs its build
 * script. A later call with the same sources returns the first result.
 * @returns the folder of the project, whose `homeport.json` names the directory to deploy.
 */
export async function buildExample(name: string): Promise<string> {
  const source = join(EXAMPLES, name);
  const folder = join(CACHE, `${name}-${await digestOf(source)}`);
  if (await exists(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  // Outside of this repository, whose packages and lock file the tools would find.
  const project = await mkdtemp(join(tmpdir(), 'homeport-example-'));
  try {
    await cp(source, project, { recursive: true });
    await build(project);
    await removeOlder(name);
    await keep(project, folder);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
  return folder;
}

async function build(project: string): Promise<void> {
  const { scripts = {}, dependencies, devDependencies } = await readJson<Package>(join(project, 'package.json'));
  if (dependencies ?? devDependencies) await npm(project, 'ci', '--ignore-scripts');
  if (scripts['build'] !== undefined) await npm(project, 'run', 'build');
  if (await deploysPackages(project)) await npm(project, 'prune', '--omit=dev', '--ignore-scripts');
}

interface Package {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

async function npm(project: string, ...args: string[]): Promise<void> {
  const shell = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const env = { ...Object.fromEntries(shell), ...WITHOUT_TELEMETRY, CI: 'true' };
  try {
    await run('npm', [...args, '--no-audit', '--no-fund'], { cwd: project, env, maxBuffer: MAX_OUTPUT_BYTES });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`npm ${args.join(' ')} failed in ${basename(project)}:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Some servers need their packages; the builds of others contain them. */
async function deploysPackages(project: string): Promise<boolean> {
  const { directory } = await readJson<{ readonly directory: string }>(join(project, 'homeport.json'));
  return directory === '.' && (await exists(join(project, 'node_modules')));
}

/** Copies the result into the cache at once, so that an interrupted copy is not used. */
async function keep(project: string, folder: string): Promise<void> {
  const modules = join(project, 'node_modules');
  const isKept = await deploysPackages(project);
  const copy = await mkdtemp(join(CACHE, 'copy-'));
  const filter = (path: string) => isKept || path !== modules;
  await cp(project, copy, { recursive: true, verbatimSymlinks: true, filter });
  await rename(copy, folder);
}

async function removeOlder(name: string): Promise<void> {
  const older = (await readdir(CACHE)).filter((entry) => new RegExp(`^${name}-[0-9a-f]{16}$`).test(entry));
  for (const entry of older) await rm(join(CACHE, entry), { recursive: true, force: true });
}

async function digestOf(folder: string): Promise<string> {
  const digest = createHash('sha256').update(process.version);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) digest.update(relative(folder, path)).update(await readFile(path));
  return digest.digest('hex').slice(0, 16);
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
