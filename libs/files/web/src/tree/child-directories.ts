import { keyPrefixes, WORKSPACE } from './display-path';
import type { SortedFiles } from './sorted-files';

/** The character after the slash, so that a key with it sorts after all keys of a directory. */
const AFTER_SLASH = '0';

/**
 * The names of the directories directly in a directory; a name occurs twice when it exists with and without the
 * workspace segment. Skips the contents of each directory, so that the cost does not depend on their number of files.
 */
export function* childDirectories(files: SortedFiles, directory: string): Generator<string, void> {
  for (const prefix of keyPrefixes(directory)) {
    for (const name of namesAfter(files, prefix)) if (prefix !== '' || `${name}/` !== WORKSPACE) yield name;
  }
}

function* namesAfter(files: SortedFiles, prefix: string): Generator<string, void> {
  let from = prefix;
  for (let path = nextDirectory(files, prefix, from); path !== undefined; path = nextDirectory(files, prefix, from)) {
    yield path.slice(prefix.length);
    from = path + AFTER_SLASH;
  }
}

function nextDirectory(files: SortedFiles, prefix: string, from: string): string | undefined {
  for (const { key } of files.withPrefix(prefix, from)) {
    const slash = key.indexOf('/', prefix.length);
    if (slash !== -1) return key.slice(0, slash);
  }
  return undefined;
}
