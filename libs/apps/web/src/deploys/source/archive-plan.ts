import { isIgnoredPath } from '@homeport/apps/contracts';
import type { PickedFile } from '@homeport/platform/web';

/** What of a folder, or of several files, becomes a deploy. */
export interface ArchivePlan {
  /** Of the folder; undefined when there is not one. */
  readonly name: string | undefined;
  /** With their paths in the archive. */
  readonly files: readonly PickedFile[];
  /** The paths of what the server would drop, as they were picked. */
  readonly ignoredFiles: readonly string[];
  /** Of all files. */
  readonly bytes: number;
  /** Whether there is a page at the address itself. */
  readonly hasIndex: boolean;
}

/** The server takes a single top folder away, whatever its name, unless the name makes it drop all of it. */
const TOP_FOLDER = 'site';

/** The same files as the server would keep, below one folder when one was picked. */
export function archivePlan(picked: readonly PickedFile[]): ArchivePlan {
  const name = topFolder(picked);
  const below = (path: string): string => (name === undefined ? path : path.slice(name.length + 1));
  const kept = picked.filter(({ path }) => !isIgnoredPath(below(path)));
  return {
    name,
    files: kept.map(({ file, path }) => ({ file, path: name === undefined ? path : `${TOP_FOLDER}/${below(path)}` })),
    ignoredFiles: picked.filter(({ path }) => isIgnoredPath(below(path))).map(({ path }) => path),
    bytes: kept.reduce((sum, { file }) => sum + file.size, 0),
    hasIndex: kept.some(({ path }) => below(path) === 'index.html'),
  };
}

/** The one folder that all of them are in. */
function topFolder([first, ...others]: readonly PickedFile[]): string | undefined {
  const end = first?.path.indexOf('/') ?? -1;
  const name = first?.path.slice(0, Math.max(0, end));
  return name && others.every(({ path }) => path.startsWith(`${name}/`)) ? name : undefined;
}
