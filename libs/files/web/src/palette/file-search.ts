import { computed, inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { fileIconName, fileKind, type PaletteItem, type PaletteSource } from '@homeport/platform/web';
import { bestMatches, type Searchable, searchable, queryTerms } from '@homeport/platform/web/on-demand';
import { FileIndex } from '../client/file-index';
import { EmptyFolders } from '../folders/empty-folders';
import { withAncestors } from '../folders/folder-paths';
import { CachedFilesClient } from '../offline/cached-files-client';
import { truncatedListMessage } from '../offline/truncated-list';
import { directoryLink, viewLink } from '../tree/file-links';
import { displayPath, nameOf, parentOf } from '../tree/display-path';
import { directoriesIn } from '../tree/file-tree';
import { SortedFiles } from '../tree/sorted-files';

/** A file or folder that can be found. */
interface SearchTarget {
  /** The display path. */
  readonly path: string;
  /** Undefined for a folder. */
  readonly entry?: FileEntry;
}

/** Finds files and folders by name and path. */
@Service()
export class FileSearch implements PaletteSource {
  readonly #cachedFiles = inject(CachedFilesClient);
  readonly #emptyFolders = inject(EmptyFolders);
  readonly #index = inject(FileIndex);
  readonly heading = $localize`Files and folders`;
  /** Built once per file list: with tens of thousands of files, rebuilding it for each key press would be slow. */
  readonly #targets = computed<readonly SearchTarget[]>(() => {
    const files = this.#index.files() ?? SortedFiles.empty;
    const folders = new Set([...directoriesIn(files), ...withAncestors(this.#emptyFolders.paths())]);
    return [
      ...Array.from(folders, (path) => ({ path })),
      ...Array.from(files, (entry) => ({ path: displayPath(entry.key), entry })),
    ];
  });
  readonly #searchables = computed<readonly Searchable[]>(() =>
    this.#targets().map(({ path }) => searchable(path, path.lastIndexOf('/') + 1)),
  );

  /** Without a query, returns the most recently changed files. Rejects when the file list cannot be read. */
  async find(query: string, limit: number, signal: AbortSignal): Promise<readonly PaletteItem[]> {
    const files = await this.#index.whenLoaded({ signal });
    const terms = queryTerms(query);
    if (terms.length === 0) return latest([...files], limit).map(fileItem);
    const searchables = this.#searchables();
    const found = bestMatches(this.#targets(), terms, limit, (_target, index) => searchables[index] as Searchable);
    return found.map(({ path, entry }) => (entry ? fileItem(entry) : folderItem(path)));
  }

  note(): string | undefined {
    return this.#cachedFiles.isTruncated('all') ? truncatedListMessage() : undefined;
  }
}

function latest(entries: readonly FileEntry[], limit: number): readonly FileEntry[] {
  const newest: FileEntry[] = [];
  for (const entry of entries) {
    const last = newest[limit - 1];
    if (last && last.modified_at >= entry.modified_at) continue;
    const at = newest.findIndex(({ modified_at: at }) => at < entry.modified_at);
    newest.splice(at === -1 ? newest.length : at, 0, entry);
    newest.length = Math.min(newest.length, limit);
  }
  return newest;
}

function fileItem({ key }: FileEntry): PaletteItem {
  const path = displayPath(key);
  return {
    id: `file:${key}`,
    label: nameOf(path),
    hint: parentOf(path),
    icon: fileIconName(path),
    iconColor: `var(--kind-${fileKind(path)})`,
    link: viewLink(key),
  };
}

function folderItem(path: string): PaletteItem {
  const parent = parentOf(path);
  return {
    id: `folder:${path}`,
    label: nameOf(path),
    hint: parent ? $localize`Folder in ${parent}:folder:` : $localize`Folder`,
    icon: 'folder',
    iconColor: 'var(--kind-folder)',
    link: directoryLink(path),
  };
}
