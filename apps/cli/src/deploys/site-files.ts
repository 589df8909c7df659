import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CliError, UsageError } from '../cli.errors';
import { NOT_UTF_8 } from '../files/local-files';

/** Hidden folders that frameworks write into the builds of their servers. */
const SERVER_FOLDERS: readonly string[] = ['.next', '.amplify-hosting'];
/** Folders of tools inside of `node_modules`, which no server needs. The first has symbolic links. */
const TOOL_FOLDERS: readonly string[] = ['.bin', '.cache'];

/** Builds of servers in the folder of a project. The project itself is large, and has no server that can be started. */
const BUILDS: readonly string[] = ['.next/standalone', '.output'];

export type AppType = 'static' | 'ssr';

/** As the server does with archives: files that systems and tools leave in folders are not deployed. */
function isIgnored(path: string, type: AppType): boolean {
  const segments = path.split('/');
  const name = segments.at(-1) ?? '';
  if (name === '__MACOSX') return true;
  if (!name.startsWith('.') || name === '.well-known') return false;
  if (type === 'static') return true;
  return segments.includes('node_modules') ? TOOL_FOLDERS.includes(name) : !SERVER_FOLDERS.includes(name);
}

export interface SiteFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly size: number;
}

/**
 * Lists the files to deploy, sorted by path.
 * @param type of the app: SSR apps keep the hidden folders of their servers.
 * @throws {CliError} for a folder that does not exist, has no file, contains a link, or is a project with its build.
 */
export async function siteFiles(folder: string, type: AppType = 'static'): Promise<SiteFile[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`${folder} is not a folder.`);
  if (type === 'ssr') await assertNoBuildInside(folder);
  const files = await filesBelow({ root: folder, type }, folder);
  if (files.length === 0)
    throw new CliError(`${folder} contains no file to deploy.`, 'rejected', 'Build the site first.');
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function assertNoBuildInside(folder: string): Promise<void> {
  for (const build of BUILDS) {
    const found = await stat(join(folder, build)).catch(() => undefined);
    if (!found?.isDirectory()) continue;
    const problem = `${folder} is a project, and its build is in ${build}.`;
    throw new CliError(problem, 'rejected', `Deploy ${join(folder, build)}.`);
  }
}

async function filesBelow(
  site: { readonly root: string; readonly type: AppType },
  folder: string,
): Promise<SiteFile[]> {
  const pathOf = (name: string) => relative(site.root, join(folder, name)).replaceAll(sep, '/');
  const all = await readdir(folder, { withFileTypes: true });
  const entries = all.filter(({ name }) => !isIgnored(pathOf(name), site.type));
  const found: SiteFile[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.includes(NOT_UTF_8))
      throw new CliError(`The name of ${path} is not UTF-8.`, 'rejected', 'Rename it.');
    if (entry.isDirectory()) found.push(...(await filesBelow(site, path)));
    else if (entry.isFile()) found.push({ path: pathOf(entry.name), size: statSync(path).size });
    else
      throw new CliError(
        `${path} is a link or a device, which cannot be deployed.`,
        'rejected',
        path.includes('node_modules')
          ? 'Install the packages with npm, or with pnpm and "node-linker=hoisted".'
          : 'Replace it by a file.',
      );
  }
  return found;
}
