import {
  pathIn,
  type WorkspaceKey,
  workspaceKeyOfPath,
  type WorkspacePrefix,
  workspacePrefix,
  type WorkspaceRoot,
} from './workspace-key';

/** A file or a folder that was selected for an archive. */
export type SelectedPath =
  | { readonly path: string; readonly key: WorkspaceKey; readonly prefix?: undefined }
  | { readonly path: string; readonly prefix: WorkspacePrefix; readonly key?: undefined };

/** The whole workspace. */
const ROOT = '/';
const DEFAULT_NAME = 'files.zip';

/**
 * Parses the paths of a request; the same path is selected once.
 * @param paths decoded; a folder ends with `/`, and `/` alone is the whole workspace. @throws {FilePathRejected}
 */
export function parseSelection(root: WorkspaceRoot, paths: readonly string[]): readonly SelectedPath[] {
  const selected = paths.map((path): [string, SelectedPath] => {
    if (!path.endsWith('/')) {
      const key = workspaceKeyOfPath(root, path);
      return [key, { path: pathIn(root, key), key }];
    }
    const prefix = workspacePrefix(root, path === ROOT ? '' : path);
    return [prefix, { path: pathIn(root, prefix), prefix }];
  });
  return [...new Map(selected).values()];
}

/** The path of a file relative to the parent of the selected path that contains it. */
export function pathInArchive(selected: SelectedPath, path: string): string {
  return path.slice(selected.path.lastIndexOf('/', selected.path.length - 2) + 1);
}

/** The name of the archive: that of its folder, also when the folder was selected under several parents. */
export function archiveNameOf(selection: readonly SelectedPath[]): string {
  const names = new Set(selection.map((each) => (each.prefix === undefined ? '' : pathInArchive(each, each.path))));
  const [name = ''] = names;
  return names.size > 1 || name === '' ? DEFAULT_NAME : `${name.slice(0, -1)}.zip`;
}
