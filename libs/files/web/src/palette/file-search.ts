import { computed, inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import {
  bestMatches,
  fileIconName,
  type PaletteItem,
  type PaletteSource,
  type Searchable,
  searchable,
  queryTerms,
} from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { CachedFilesClient } from '../offline/cached-files-client';
import { truncatedListMessage } from '../offline/truncated-list';
import { viewLink } from '../tree/file-links';
import { nameOf, parentOf, displayPath } from '../tree/file-tree';

/** Finds files by name and path. */
@Service()
export class FileSearch implements PaletteSource {
  readonly #cachedFiles = inject(CachedFilesClient);
  readonly #index = inject(FileIndex);
  readonly heading = $localize`Files`;
  readonly #files = computed(() => {
    const files = this.#index.files();
    return files && [...files];
  });
  /** Built once per file list: with tens of thousands of files, rebuilding it for each key press would be slow. */
  readonly #searchables = computed<readonly Searchable[]>(() =>
    (this.#files() ?? []).map(({ key }) => {
      const path = displayPath(key);
      return searchable(path, path.lastIndexOf('/') + 1);
    }),
  );

  /** Without a query, returns the most recently changed files. Rejects when the file list cannot be read. */
  async find(query: string, limit: number, signal: AbortSignal): Promise<readonly PaletteItem[]> {
    const entries = await this.#entries(signal);
    const terms = queryTerms(query);
    const found = terms.length === 0 ? latest(entries, limit) : this.#matches(entries, terms, limit);
    return found.map(itemOf);
  }

  note(): string | undefined {
    return this.#cachedFiles.isTruncated('all') ? truncatedListMessage() : undefined;
  }

  #matches(entries: readonly FileEntry[], terms: readonly string[], limit: number): readonly FileEntry[] {
    const searchables = this.#searchables();
    return bestMatches(entries, terms, limit, (_entry, index) => searchables[index] as Searchable);
  }

  async #entries(signal: AbortSignal): Promise<readonly FileEntry[]> {
    await this.#index.whenLoaded({ signal });
    return this.#files() ?? [];
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

function itemOf({ key }: FileEntry): PaletteItem {
  const path = displayPath(key);
  return {
    id: `file:${key}`,
    label: nameOf(path),
    hint: parentOf(path),
    icon: fileIconName(path),
    link: viewLink(key),
  };
}
