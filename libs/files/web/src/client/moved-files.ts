import type { FileEntry } from '@homeport/files/contracts';

type Version = Pick<FileEntry, 'key' | 'etag'>;
type TextStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Deleted at sign-out, like all of local storage that is not a device setting. */
const STORAGE_KEY = 'homeport.moved';
/** More than one page of recently modified files, which is all that is compared. */
const MAX_REMEMBERED = 200;

/**
 * Remembers which versions of files were written by a move on this device: the storage gives them a new time, although
 * their content has not changed.
 *
 * @param storage replaced in tests; throws when the browser blocks storage.
 */
export function rememberMoved(files: readonly Version[], storage: () => TextStorage = () => localStorage): void {
  if (files.length === 0) return;
  try {
    const versions = [...movedVersions(storage), ...files.map(versionOf)];
    storage().setItem(STORAGE_KEY, JSON.stringify(versions.slice(-MAX_REMEMBERED)));
  } catch {
    // When storage is blocked, moved files count as modified.
  }
}

/** Leaves out the files that have only been moved since they were last modified. */
export function withoutMoved<T extends Version>(
  files: readonly T[],
  storage: () => TextStorage = () => localStorage,
): readonly T[] {
  const moved = new Set(movedVersions(storage));
  return files.filter((file) => !moved.has(versionOf(file)));
}

function movedVersions(storage: () => TextStorage): readonly string[] {
  try {
    return JSON.parse(storage().getItem(STORAGE_KEY) ?? '[]') as readonly string[];
  } catch {
    return [];
  }
}

function versionOf({ key, etag }: Version): string {
  return `${etag} ${key}`;
}
