import { effect, inject, Service, untracked } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { Activities, asHttpProblem, formatNumber, type ToastHandle, Toasts } from '@homeport/platform/web';
import { Batch, type Failure } from '../../client/batch';
import { FileIndex } from '../../client/file-index';
import { FilesClient } from '../../client/files-client';
import { nameOf, displayPath } from '../../tree/file-tree';
import { SortedFiles } from '../../tree/sorted-files';
import { DeletionLog, type LoggedDeletion } from './deletion-log';
import { showBatch } from './show-batch';

const CONCURRENCY = 6;
/** More than these are a work to be seen. */
const QUIET = 20;

interface Pending extends LoggedDeletion {
  readonly toast: ToastHandle;
  /** How many could not be deleted, once it is being sent. */
  sent?: Promise<number>;
}

export interface DeletionOptions {
  /** What was deleted, for the message. */
  readonly words: string;
  /** Called when it has been taken back. */
  readonly undone?: () => void;
}

/**
 * Deletes with a way back: the files are gone from the lists at once, and from the server when nobody has taken it back
 * for some seconds. A file that was changed meanwhile stays. It outlives the page that asked, and what the browser
 * closed in the middle is finished by the next start.
 */
@Service()
export class Deletions {
  readonly #client = inject(FilesClient);
  readonly #index = inject(FileIndex);
  readonly #log = inject(DeletionLog);
  readonly #toasts = inject(Toasts);
  readonly #activities = inject(Activities);
  readonly #session = inject(AuthSession);
  readonly #pending = new Set<Pending>();
  #isLeaving = false;

  constructor() {
    addEventListener('pagehide', () => this.#leave());
    effect(() => {
      const state = this.#session.state();
      // What nobody has sent yet stays: the files of somebody who has left are not touched.
      if (state === 'signed-out') untracked(() => [...this.#pending].forEach((each) => this.#undo(each)));
      if (state === 'signed-in') untracked(() => void this.#resume());
    });
  }

  delete(entries: readonly FileEntry[], { words, undone }: DeletionOptions): void {
    this.#index.hide(keysOf(entries));
    const run = (): void => {
      if (this.#undo(pending)) undone?.();
    };
    const toast = this.#toasts.show(words, { label: $localize`Undo`, run }, { autoClose: true });
    const pending: Pending = { id: crypto.randomUUID(), entries, toast };
    this.#pending.add(pending);
    void this.#log.record({ id: pending.id, entries });
    // As long as there is a way back to be seen, it is one.
    void toast.ended.then((how) => (how === 'action' ? undefined : this.#send(pending)));
  }

  /** Sends now what still takes these names, or everything. Answers how many files could not be deleted. */
  async flush(keys?: readonly string[]): Promise<number> {
    const wanted = keys && new Set(keys);
    const due = [...this.#pending].filter(({ entries }) => !wanted || entries.some(({ key }) => wanted.has(key)));
    const failed = await Promise.all(due.map((pending) => this.#send(pending)));
    return failed.reduce((sum, count) => sum + count, 0);
  }

  /** @returns whether there still was a way back. */
  #undo(pending: Pending): boolean {
    if (pending.sent || !this.#pending.delete(pending)) return false;
    pending.toast.close();
    void this.#log.remove(pending.id);
    this.#index.unhide(keysOf(pending.entries));
    return true;
  }

  #send(pending: Pending): Promise<number> {
    if (!this.#pending.has(pending)) return Promise.resolve(0);
    pending.sent ??= this.#carryOut(pending).finally(() => this.#pending.delete(pending));
    pending.toast.close();
    return pending.sent;
  }

  /** Deletes what has not been written anew meanwhile. Answers how many files that did not work for. */
  async #carryOut({ id, entries }: LoggedDeletion): Promise<number> {
    const items = entries.filter(({ key }) => this.#index.isHidden(key));
    const batch = new Batch<FileEntry>({
      items,
      concurrency: CONCURRENCY,
      run: async (entry, signal) => {
        await this.#deleteOne(entry, signal);
        this.#index.queueChange({ removed: entry.key });
      },
    });
    const done = $localize`Deleted ${formatNumber(items.length)}:count: files`;
    const title = $localize`Deleting ${formatNumber(items.length)}:count: files`;
    const retried = (): void => this.#settle(items);
    if (items.length > QUIET) showBatch(this.#activities, batch, { title, done, problem: failureMessage, retried });
    await batch.start();
    this.#settle(items);
    // The browser ends what is on its way before it ends the page: those are not answers.
    if (!this.#isLeaving) await this.#log.remove(id);
    const { failures } = batch.progress();
    if (failures.length > 0) this.#tell(failures);
    return failures.length;
  }

  async #deleteOne({ key, etag }: FileEntry, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.delete(key, { ifMatch: etag, signal });
    } catch (error) {
      // What is gone already does not match either.
      if (asHttpProblem(error).status !== 412 || !(await this.#isGone(key, signal))) throw error;
    }
  }

  async #isGone(key: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.head(key, signal);
      return false;
    } catch (error) {
      return asHttpProblem(error).status === 404;
    }
  }

  /** Finishes what a page that is gone had not. */
  async #resume(): Promise<void> {
    const left = await this.#log.claim();
    if (left.length === 0) return;
    const logged = left.flatMap(({ entries }) => entries);
    this.#index.hide(keysOf(logged));
    try {
      const files = SortedFiles.of(await this.#client.list());
      const isThere = ({ key, etag }: FileEntry): boolean => files.find(key)?.etag === etag;
      const due = left.map(({ id, entries }) => ({ id, entries: entries.filter(isThere) }));
      const failed = await Promise.all(due.map((each) => this.#carryOut(each)));
      const gone = due.reduce((sum, { entries }, at) => sum + entries.length - (failed[at] ?? 0), 0);
      if (gone === 1) this.#toasts.show($localize`Finished deleting 1 file.`);
      if (gone > 1) this.#toasts.show($localize`Finished deleting ${formatNumber(gone)}:count: files.`);
    } catch {
      // The list cannot be had: a later page tries again.
      left.forEach(({ id }) => this.#log.release(id));
    }
    this.#index.unhide(keysOf(logged));
  }

  /** What is still there is shown again. */
  #settle(entries: readonly FileEntry[]): void {
    this.#index.flushChanges();
    this.#index.unhide(keysOf(entries));
  }

  #tell(failures: readonly Failure<FileEntry>[]): void {
    if (failures.some(({ problem }) => problem.status === 412)) this.#index.data.reload();
    const [first] = failures;
    if (failures.length === 1 && first) this.#toasts.show(failureMessage(first));
    else if (first) {
      const count = formatNumber(failures.length);
      this.#toasts.show($localize`${count}:count: files could not be deleted. ${failureMessage(first)}:first:`);
    }
  }

  /** What is pending goes out as it goes: browsers let a page that ends send a few. The next one does the rest. */
  #leave(): void {
    this.#isLeaving = true;
    for (const pending of [...this.#pending].filter(({ sent }) => !sent)) {
      this.#pending.delete(pending);
      pending.toast.close();
      for (const { key, etag } of pending.entries) {
        // Nobody is left to hear how it ended.
        this.#client.delete(key, { ifMatch: etag, keepalive: true }).catch(() => undefined);
      }
    }
  }
}

function keysOf(entries: readonly FileEntry[]): readonly string[] {
  return entries.map(({ key }) => key);
}

function failureMessage({ item, problem }: Failure<FileEntry>): string {
  const name = nameOf(displayPath(item.key));
  if (problem.status === 412) return $localize`${name}:name: was changed meanwhile, so it was kept.`;
  return $localize`${name}:name: could not be deleted. ${problem.detail}:reason:`;
}
