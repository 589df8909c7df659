import { type AppType, isIgnoredPath } from '@homeport/apps/contracts';
import type { PickedFile } from '@homeport/platform/web';

/** The files of a selection that become a deploy. */
export interface ArchivePlan {
  /** The name of the common top folder, if there is one. */
  readonly name: string | undefined;
  /** With their paths in the archive. */
  readonly files: readonly PickedFile[];
  /** Original paths of the files that the server would drop. */
  readonly ignoredFiles: readonly string[];
  /** Total size of all files. */
  readonly bytes: number;
  /** Whether visitors of `/` see something: an index.html at the top level, or the answer of a server. */
  readonly hasIndex: boolean;
}

/** The server strips a single top folder, but drops every file below an ignored name. A fixed name avoids that. */
const TOP_FOLDER = 'site';

/**
 * Removes the ignored files and puts a picked folder below one top folder.
 * @param type of the app: SSR apps keep the hidden folders of their servers.
 */
export function archivePlan(picked: readonly PickedFile[], type: AppType = 'static'): ArchivePlan {
  const name = topFolder(picked);
  const below = (path: string): string => (name === undefined ? path : path.slice(name.length + 1));
  const isIgnored = ({ path }: PickedFile): boolean => isIgnoredPath(below(path), type);
  const included = picked.filter((file) => !isIgnored(file));
  return {
    name,
    files: included.map(({ file, path }) => ({
      file,
      path: name === undefined ? path : `${TOP_FOLDER}/${below(path)}`,
    })),
    ignoredFiles: picked.filter(isIgnored).map(({ path }) => path),
    bytes: included.reduce((sum, { file }) => sum + file.size, 0),
    hasIndex: type === 'ssr' || included.some(({ path }) => below(path) === 'index.html'),
  };
}

/** The top folder that contains all files. */
function topFolder([first, ...others]: readonly PickedFile[]): string | undefined {
  const end = first?.path.indexOf('/') ?? -1;
  const name = first?.path.slice(0, Math.max(0, end));
  return name && others.every(({ path }) => path.startsWith(`${name}/`)) ? name : undefined;
}
