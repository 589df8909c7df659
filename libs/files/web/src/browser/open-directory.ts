import { computed, DestroyRef, effect, inject, type Signal, untracked } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { type HttpProblem, screenData } from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { FilesClient } from '../client/files-client';
import { EmptyFolders } from '../folders/empty-folders';
import { withEmptyFolders } from '../folders/folder-paths';
import { CachedFilesClient } from '../offline/cached-files-client';
import { SaveQueue } from '../saves/save-queue';
import { withQueuedFiles } from '../saves/with-queued-files';
import { changedLevel, type DirectoryLevel, directoryOf, readLevel } from '../tree/directory-level';
import { type Directory, listDirectory } from '../tree/file-tree';
import { KnownDirectories } from './known-directories';

export interface OpenDirectory {
  /** Undefined until the level or the index is loaded. */
  readonly directory: Signal<Directory | undefined>;
  /** Why there is no directory to show, or why it may be outdated. */
  readonly problem: Signal<HttpProblem | undefined>;
  readonly busy: Signal<boolean>;
  /** Whether the server has no such directory; false for one that has become empty while the app is open. */
  readonly isMissing: Signal<boolean>;
  /** The key prefix for new files; undefined until the level is loaded, and while it is empty. */
  readonly keyPrefix: Signal<string | undefined>;
  reload(): void;
}

interface LoadedLevel {
  readonly level: DirectoryLevel;
  /** The order of loads, shared with the index. */
  readonly load: number;
}

/**
 * The contents of the open directory. The server lists its level, which is shown as soon as it arrives; the index adds
 * the file counts of directories, and replaces a level that is older or unavailable. A level that differs from the index
 * starts a reload of the index. Requires an injection context.
 *
 * @param path the display path.
 */
export function openDirectory(path: () => string): OpenDirectory {
  const index = inject(FileIndex);
  const cachedFiles = inject(CachedFilesClient);
  const level = loadLevel(path, index);
  const known = computed(() => {
    const [all, files] = [index.allFiles(), index.files()];
    return all && files && { all, directory: listDirectory(files, path()) };
  });
  const newerLevel = computed(() => {
    const loaded = level.value();
    return loaded && loaded.load > index.lastLoad() ? loaded : undefined;
  });
  const listed = computed(() => {
    const newer = newerLevel();
    return newer ? directoryOf(newer.level, known(), (key) => index.isHidden(key)) : known()?.directory;
  });
  const [emptyFolders, queue] = [inject(EmptyFolders), inject(SaveQueue)];
  const directory = computed(() => {
    const shown = listed();
    return shown && withQueuedFiles(withEmptyFolders(shown, emptyFolders.paths()), queue.saves());
  });
  let comparedLoad = 0;
  effect(() => {
    const [newer, current] = [newerLevel(), known()];
    if (!newer || !current || index.data.busy() || newer.load === comparedLoad) return;
    // Once per load: if the server kept listing the level differently, the index would be reloaded without an end.
    comparedLoad = newer.load;
    if (listed() !== current.directory) untracked(() => index.refresh());
  });
  return {
    directory,
    problem: computed(() => {
      // While one of both is loading, it may still provide the directory.
      if (!directory()) return level.problem() && index.data.problem();
      // The offline banner explains a cached index.
      const isCached = cachedFiles.fallbackReason({ list: 'all' }) !== undefined;
      return (isCached ? undefined : level.problem()) ?? index.data.problem();
    }),
    isMissing: missingDirectory({ path, directory, isListed: () => level.value() !== undefined }),
    busy: computed(() => level.busy() || index.data.busy()),
    keyPrefix: computed(() => level.value()?.level.keyPrefix),
    reload: () => {
      if (!level.busy()) level.reload();
      index.data.reload();
    },
  };
}

interface ListedDirectory {
  readonly path: () => string;
  readonly directory: () => Directory | undefined;
  /** Whether the server has listed the directory. */
  readonly isListed: () => boolean;
}

/** Whether a directory does not exist. One that had contents while the app was open is empty instead. */
function missingDirectory({ path, directory, isListed }: ListedDirectory): Signal<boolean> {
  const emptyFolders = inject(EmptyFolders);
  const knownDirectories = inject(KnownDirectories);
  const isEmpty = computed(() => {
    const shown = directory();
    return shown && shown.files.length + shown.directories.length === 0;
  });
  effect(() => {
    const [empty, current] = [isEmpty(), path()];
    if (empty === false) untracked(() => knownDirectories.add(current));
  });
  return computed(() => {
    if (isEmpty() !== true || !isListed() || !emptyFolders.isLoaded()) return false;
    return !knownDirectories.has(path()) && !emptyFolders.has(path());
  });
}

/** Loads the level of a directory, and applies the changes that the server confirms afterwards. */
function loadLevel(path: () => string, index: FileIndex) {
  const client = inject(FilesClient);
  const session = inject(AuthSession);
  const level = screenData<LoadedLevel>({
    key: () => {
      const scope = session.userScope();
      // The scope contains no line break.
      return scope === undefined ? undefined : `${scope}\n${path()}`;
    },
    load: async (key, signal) => {
      const load = index.startLoad();
      return { level: await readLevel(client, key.slice(key.indexOf('\n') + 1), signal), load };
    },
  });
  const removeListener = index.onChange((changes, files) =>
    level.update((loaded) => ({ ...loaded, level: changedLevel(loaded.level, changes, files) })),
  );
  inject(DestroyRef).onDestroy(removeListener);
  return level;
}
