import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CliError, UsageError } from '../cli.errors';

/** As the server does with archives: files that systems and tools leave in folders are no part of a site. */
const isIgnored = (name: string) => (name.startsWith('.') && name !== '.well-known') || name === '__MACOSX';

export interface SiteFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly size: number;
}

/**
 * Lists the files to deploy, sorted by path.
 * @throws {CliError} for a folder that does not exist, has no file, or contains a link.
 */
export async function siteFiles(folder: string): Promise<SiteFile[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`${folder} is not a folder.`);
  const files = await filesBelow(folder, folder);
  if (files.length === 0)
    throw new CliError(`${folder} contains no file to deploy.`, 'rejected', 'Build the site first.');
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function filesBelow(root: string, folder: string): Promise<SiteFile[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isIgnored(name));
  const found: SiteFile[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(root, path)));
    else if (entry.isFile()) found.push({ path: relative(root, path).replaceAll(sep, '/'), size: statSync(path).size });
    else
      throw new CliError(
        `${path} is a link or a device, which cannot be deployed.`,
        'rejected',
        'Replace it by a file.',
      );
  }
  return found;
}
