import { computed, inject, Service, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { screenData, type ScreenData } from '@homeport/platform/web';
import { CachedFilesClient } from '../offline/cached-files-client';
import { SortedFiles } from '../tree/sorted-files';

/** Above this many files, queued changes are applied less often: each time, the open directory is rebuilt. */
const LARGE_INDEX = 5_000;
const FLUSH_DELAY_MS = 50;
const LARGE_FLUSH_DELAY_MS = 500;

/** The list of all files in the workspace, read once and shared by all pages that build directories from it. */
@Service()
export class FileIndex {
  readonly #files = inject(CachedFilesClient);
  readonly #session = inject(AuthSession);
  readonly #hidden = signal<ReadonlySet<string>>(new Set());
  #addedEntries: FileEntry[] = [];
  #removedKeys: string[] = [];
  #flush: ReturnType<typeof setTimeout> | undefined;

  readonly #read = screenData<SortedFiles>({
    key: () => this.#session.scope(),
    load: async (_scope, signal) => SortedFiles.of(await this.#files.list('', signal)),
  });
  /** The list as it was last read, with confirmed changes; includes files that are being deleted. */
  readonly data: Omit<ScreenData<SortedFiles>, 'update'> = {
    value: this.#read.value,
    problem: this.#read.problem,
    busy: this.#read.busy,
    reload: () => this.#read.reload(),
  };
  /** The list to show: without files that are being deleted. */
  readonly files = computed(() => {
    const files = this.#read.value();
    return files && this.#hidden().size > 0 ? files.without(this.#hidden()) : files;
  });

  /** Reads the list again; the old list stays on the screen until then. */
  refresh(): void {
    if (!this.#read.busy()) this.#read.reload();
  }

  /** Finds a file that is not hidden. */
  find(key: string): FileEntry | undefined {
    return this.#hidden().has(key) ? undefined : this.#read.value()?.find(key);
  }

  /** Adds an entry that the server has just returned. */
  add(entry: FileEntry): void {
    this.#unhideAdded([entry]);
    this.#read.update((files) => files.with([entry]));
  }

  remove(key: string): void {
    this.#read.update((files) => files.without([key]));
  }

  /** Queues one of many changes; they are applied together after a short delay. */
  queueChange(change: { readonly added?: FileEntry; readonly removed?: string }): void {
    if (change.added) this.#addedEntries.push(change.added);
    if (change.removed !== undefined) this.#removedKeys.push(change.removed);
    const isLarge = (this.#read.value()?.size ?? 0) > LARGE_INDEX;
    this.#flush ??= setTimeout(() => this.flushChanges(), isLarge ? LARGE_FLUSH_DELAY_MS : FLUSH_DELAY_MS);
  }

  /** Applies the queued changes immediately. */
  flushChanges(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const added = this.#addedEntries;
    const removed = this.#removedKeys;
    this.#addedEntries = [];
    this.#removedKeys = [];
    this.#unhideAdded(added);
    if (added.length + removed.length > 0) this.#read.update((files) => files.without(removed).with(added));
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

  /** Shows files that were just written, even if the previous version was hidden for deletion. */
  #unhideAdded(entries: readonly FileEntry[]): void {
    const hidden = this.#hidden();
    if (entries.some(({ key }) => hidden.has(key))) this.unhide(entries.map(({ key }) => key));
  }
}
