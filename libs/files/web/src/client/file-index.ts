import { computed, inject, Service, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { screenData, type ScreenData } from '@homeport/platform/web';
import { CachedFilesClient } from '../offline/cached-files-client';
import { SortedFiles } from '../tree/sorted-files';

/** Above this many files, what comes in one by one is shown less often: each time the open directory is built anew. */
const MANY = 5_000;
const SOON_MS = 50;
const LATER_MS = 500;

/** Everything in the workspace, read once and shared by the pages that rebuild directories from it. */
@Service()
export class FileIndex {
  readonly #files = inject(CachedFilesClient);
  readonly #session = inject(AuthSession);
  readonly #hidden = signal<ReadonlySet<string>>(new Set());
  #arrived: FileEntry[] = [];
  #left: string[] = [];
  #flush: ReturnType<typeof setTimeout> | undefined;

  readonly #read = screenData<SortedFiles>({
    key: () => this.#session.scope(),
    load: async (_scope, signal) => SortedFiles.of(await this.#files.list('', signal)),
  });
  /** As the server has it. */
  readonly data: Omit<ScreenData<SortedFiles>, 'update'> = {
    value: this.#read.value,
    problem: this.#read.problem,
    busy: this.#read.busy,
    reload: () => this.#read.reload(),
  };
  /** As people see it: without what is about to be deleted. */
  readonly files = computed(() => {
    const files = this.#read.value();
    return files && this.#hidden().size > 0 ? files.without(this.#hidden()) : files;
  });

  /** Reads again what is there already; the old list stays on the screen meanwhile. */
  refresh(): void {
    if (!this.#read.busy()) this.#read.reload();
  }

  /** Finds a file as people see it. */
  find(key: string): FileEntry | undefined {
    return this.#hidden().has(key) ? undefined : this.#read.value()?.find(key);
  }

  /** Takes up an entry the server has just answered. */
  add(entry: FileEntry): void {
    this.#unhideAdded([entry]);
    this.#read.update((files) => files.with([entry]));
  }

  remove(key: string): void {
    this.#read.update((files) => files.without([key]));
  }

  /** Takes up one of many changes: they are applied together, a little later. */
  queueChange(change: { readonly added?: FileEntry; readonly removed?: string }): void {
    if (change.added) this.#arrived.push(change.added);
    if (change.removed !== undefined) this.#left.push(change.removed);
    const isLarge = (this.#read.value()?.size ?? 0) > MANY;
    this.#flush ??= setTimeout(() => this.flushChanges(), isLarge ? LATER_MS : SOON_MS);
  }

  /** Applies now what came by `queueChange`. */
  flushChanges(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    const arrived = this.#arrived;
    const left = this.#left;
    this.#arrived = [];
    this.#left = [];
    this.#unhideAdded(arrived);
    if (arrived.length + left.length > 0) this.#read.update((files) => files.without(left).with(arrived));
  }

  /** Shows the files no more, though they are still there. */
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

  /** What has just been written is there, whatever was to happen to the file before it. */
  #unhideAdded(entries: readonly FileEntry[]): void {
    const hidden = this.#hidden();
    if (entries.some(({ key }) => hidden.has(key))) this.unhide(entries.map(({ key }) => key));
  }
}
