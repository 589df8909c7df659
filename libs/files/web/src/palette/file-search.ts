import { computed, effect, inject, Injector, Service } from '@angular/core';
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
import { viewLink } from '../tree/file-links';
import { nameOf, parentOf, displayPath } from '../tree/file-tree';

/** Finds files by their names and by the paths to them. */
@Service()
export class FileSearch implements PaletteSource {
  readonly #index = inject(FileIndex);
  readonly #injector = inject(Injector);
  readonly heading = $localize`Files`;
  readonly #files = computed(() => {
    const files = this.#index.files();
    return files && [...files];
  });
  /** Made once for a list: with tens of thousands of files, every key pressed would make them anew. */
  readonly #faces = computed<readonly Searchable[]>(() =>
    (this.#files() ?? []).map(({ key }) => {
      const path = displayPath(key);
      return searchable(path, path.lastIndexOf('/') + 1);
    }),
  );

  /** Without a query the files that changed last. Rejects when the list of files cannot be read. */
  async find(query: string, limit: number, signal: AbortSignal): Promise<readonly PaletteItem[]> {
    const entries = await this.#entries(signal);
    const terms = queryTerms(query);
    const found = terms.length === 0 ? latest(entries, limit) : this.#matches(entries, terms, limit);
    return found.map(itemOf);
  }

  #matches(entries: readonly FileEntry[], terms: readonly string[], limit: number): readonly FileEntry[] {
    const faces = this.#faces();
    return bestMatches(entries, terms, limit, (_entry, index) => faces[index] as Searchable);
  }

  /** The list as soon as it is there; one that could not be read is read again. */
  async #entries(signal: AbortSignal): Promise<readonly FileEntry[]> {
    const { problem, busy } = this.#index.data;
    const known = this.#files();
    if (known) return known;
    if (problem()) this.#index.refresh();
    const { promise, resolve, reject } = Promise.withResolvers<readonly FileEntry[]>();
    const look = (): void => {
      const [entries, failed] = [this.#files(), problem()];
      if (entries) resolve(entries);
      else if (failed && !busy()) reject(failed);
    };
    const watch = effect(look, { injector: this.#injector });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise.finally(() => watch.destroy());
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
