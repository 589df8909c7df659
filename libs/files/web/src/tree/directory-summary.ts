import type { FileEntry } from '@homeport/files/contracts';
import { WORKSPACE } from './display-path';
import type { SortedFiles } from './sorted-files';

/** The entries at any depth of a directory: keys without the workspace segment first, then keys with it. */
export function* filesUnder(files: SortedFiles, directory: string): Generator<FileEntry, void> {
  const prefix = directory === '' ? '' : `${directory}/`;
  if (!prefix.startsWith(WORKSPACE)) {
    // At the root, the prefix also matches keys with the workspace segment; they are yielded below.
    for (const entry of files.withPrefix(prefix)) if (!entry.key.startsWith(WORKSPACE)) yield entry;
  }
  yield* files.withPrefix(WORKSPACE + prefix);
}

/** The file count and newest change of a directory, at any depth; `modifiedAt` is undefined when it is empty. */
export interface DirectorySummary {
  readonly files: number;
  readonly modifiedAt: string | undefined;
}

export function summaryOf(files: SortedFiles, directory: string): DirectorySummary {
  let count = 0;
  let newest = '';
  for (const { modified_at } of filesUnder(files, directory)) {
    count += 1;
    if (modified_at > newest) newest = modified_at;
  }
  return { files: count, modifiedAt: newest || undefined };
}
