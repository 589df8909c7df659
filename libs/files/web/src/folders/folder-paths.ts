import { joinPath, nameOf, parentOf } from '../tree/display-path';
import { type Directory, type DirectoryRow } from '../tree/file-tree';
import { isWithin } from '../tree/rename-plan';

/** The paths that are a directory or are inside it. */
export function pathsWithin(paths: Iterable<string>, directory: string): readonly string[] {
  return [...paths].filter((path) => isWithin(path, directory));
}

/** The names directly in a directory that lead to one of the paths. */
export function namesTowards(paths: Iterable<string>, directory: string): readonly string[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  const names = [...paths]
    .filter((path) => path.startsWith(prefix) && path !== directory)
    .map((path) => path.slice(prefix.length).split('/')[0] ?? '');
  return [...new Set(names)];
}

/** The paths after a directory was moved or renamed. */
export function movedPaths(paths: Iterable<string>, from: string, to: string): readonly string[] {
  return [...paths].map((path) => (isWithin(path, from) ? to + path.slice(from.length) : path));
}

/** The paths and all directories above them. */
export function withAncestors(paths: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (let path of paths) for (; path !== '' && !all.has(path); path = parentOf(path)) all.add(path);
  return all;
}

/** The names of the directories in each directory, for these paths and all directories above them. */
export function namesByParent(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const path of withAncestors(paths)) {
    const siblings = names.get(parentOf(path));
    if (siblings) siblings.push(nameOf(path));
    else names.set(parentOf(path), [nameOf(path)]);
  }
  return names;
}

/** The directory with rows for the empty folders in it. */
export function withEmptyFolders(directory: Directory, paths: ReadonlySet<string>): Directory {
  const known = new Set(directory.directories.map(({ name }) => name));
  const added = namesTowards(paths, directory.path)
    .filter((name) => !known.has(name))
    .map((name): DirectoryRow => ({ name, path: joinPath(directory.path, name), files: 0, bytes: 0 }));
  return added.length === 0 ? directory : { ...directory, directories: [...directory.directories, ...added] };
}
