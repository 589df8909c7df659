import { computed, effect, inject, Injector, Service, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { screenData, type ScreenData } from '@homeport/platform/web';
import { CachedFilesClient } from '../offline/cached-files-client';
import type { FileChanges } from '../tree/directory-level';
import { SortedFiles } from '../tree/sorted-files';
import { ListingPages } from './listing-pages';

/** Above this many files, queued changes are applied less often: each time, the open directory is rebuilt. */
const LARGE_INDEX = 5_000;
const FLUSH_DELAY_MS = 50;
const LARGE_FLUSH_DELAY_MS = 500;

/** Called after confirmed changes. `files` are all files after them; undefined while they are not loaded. */
export type ChangeListener = (changes: FileChanges, files: SortedFiles | undefined) => void;

interface LoadedFiles {
  readonly files: SortedFiles;
  /** The order of loads: the response of a later load is newer. 0 for a cached list. */
  readonly load: number;
}

/** All files of the workspace in memory, shared by all pages. A reload transfers only the pages that have changed. */
@Service()
export class FileIndex {
  readonly #files = inject(CachedFilesClient);
  readonly #session = inject(AuthSession);
  readonly #injector = inject(Injector);
  readonly #hidden = signal<ReadonlySet<string>>(new Set());
  readonly #listeners = new Set<ChangeListener>();
  /** Another user starts with no pages. */
  readonly #pages = computed(() => {
    this.#session.userScope();
    return new ListingPages();
  });
  #sorted: { readonly entries: readonly FileEntry[]; readonly files: SortedFiles } | undefined;
  #loads = 0;
  #addedEntries: FileEntry[] = [];
  #removedKeys: string[] = [];
  #flush: ReturnType<typeof setTimeout> | undefined;

  readonly #read = screenData<LoadedFiles>({
    key: () => this.#session.userScope(),
    load: async (_scope, signal) => {
      const load = this.startLoad();
      const files = this.#sortedFiles(await this.#files.list(signal, this.#pages()));
      // A cached list is older than everything that the server has listed.
      return { files, load: this.#files.fallbackReason({ list: 'all' }) === undefined ? load : 0 };
    },
  });
  readonly data: Omit<ScreenData<LoadedFiles>, 'value' | 'update'> = {
    problem: this.#read.problem,
    busy: this.#read.busy,
    reload: () => this.#read.reload(),
  };
  /** All files with confirmed changes, including files that are being deleted. */
  readonly allFiles = computed(() => this.#read.value()?.files);
  /** The files to show: without files that are being deleted. */
  readonly files = computed(() => {
    const files = this.allFiles();
    return files && this.#hidden().size > 0 ? files.without(this.#hidden()) : files;
  });
  /** The load that the files come from, by `startLoad`; 0 for a cached list, and before the first load. */
  readonly lastLoad = computed(() => this.#read.value()?.load ?? 0);

  /** @returns a number for a load that starts now; a later load has a higher number. */
  startLoad(): number {
    return (this.#loads += 1);
  }

  /** Reads the list again; the old list stays on the screen until then. */
  refresh(): void {
    if (!this.#read.busy()) this.#read.reload();
  }

  /**
   * Waits until the files are loaded; after a failed load, loads them again.
   * @param options.isCurrent whether to wait for a running reload too.
   * @returns the files to show.
   * @throws {HttpProblem} the files cannot be loaded.
   */
  whenLoaded({ isCurrent = false, signal }: { isCurrent?: boolean; signal?: AbortSignal } = {}): Promise<SortedFiles> {
    const known = this.files();
    if (known && !isCurrent) return Promise.resolve(known);
    const { problem, busy } = this.#read;
    if (problem()) this.refresh();
    const { promise, resolve, reject } = Promise.withResolvers<SortedFiles>();
    const check = (): void => {
      const files = this.files();
      if (files && !(isCurrent && (busy() || problem()))) resolve(files);
      else if (problem() && !busy()) reject(problem());
    };
    const watch = effect(check, { injector: this.#injector });
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise.finally(() => watch.destroy());
  }

  /** Finds a file that is not hidden. */
  find(key: string): FileEntry | undefined {
    return this.#hidden().has(key) ? undefined : this.allFiles()?.find(key);
  }

  /** Adds an entry that the server has just returned. */
  add(entry: FileEntry): void {
    this.#apply({ added: [entry], removed: [] });
  }

  /** Queues one of many changes; they are applied together after a short delay. */
  queueChange(change: { readonly added?: FileEntry; readonly removed?: string }): void {
    if (change.added) this.#addedEntries.push(change.added);
    if (change.removed !== undefined) this.#removedKeys.push(change.removed);
    const isLarge = (this.allFiles()?.size ?? 0) > LARGE_INDEX;
    this.#flush ??= setTimeout(() => this.flushChanges(), isLarge ? LARGE_FLUSH_DELAY_MS : FLUSH_DELAY_MS);
  }

  /** Applies the queued changes immediately. */
  flushChanges(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const changes = { added: this.#addedEntries, removed: this.#removedKeys };
    this.#addedEntries = [];
    this.#removedKeys = [];
    if (changes.added.length + changes.removed.length > 0) this.#apply(changes);
  }

  /** Calls a listener after every confirmed change. @returns a function that removes the listener. */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hides files that still exist on the server. */
  hide(keys: readonly string[]): void {
    this.#hidden.update((hidden) => new Set([...hidden, ...keys]));
  }

  isHidden(key: string): boolean {
    return this.#hidden().has(key);
  }

  /** Shows hidden files again. */
  unhide(keys: readonly string[]): void {
    const shown = new Set(keys);
    this.#hidden.update((hidden) => new Set([...hidden].filter((key) => !shown.has(key))));
  }

  #apply(changes: FileChanges): void {
    this.#unhideAdded(changes.added);
    this.#read.update(({ files, load }) => ({ files: files.without(changes.removed).with(changes.added), load }));
    for (const listener of this.#listeners) listener(changes, this.allFiles());
  }

  /** Unchanged entries keep their sorted list, so that nothing that depends on it is computed again. */
  #sortedFiles(entries: readonly FileEntry[]): SortedFiles {
    if (this.#sorted?.entries !== entries) this.#sorted = { entries, files: SortedFiles.of(entries) };
    return this.#sorted.files;
  }

  /** Shows files that were just written, even if the previous version was hidden for deletion. */
  #unhideAdded(entries: readonly FileEntry[]): void {
    const hidden = this.#hidden();
    if (entries.some(({ key }) => hidden.has(key))) this.unhide(entries.map(({ key }) => key));
  }
}
