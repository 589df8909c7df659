import { effect, inject, Service, untracked } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { Activities, asHttpProblem, formatNumber, type ToastHandle, Toasts } from '@homeport/platform/web';
import { Batch, type Failure } from '../../client/batch';
import { FileIndex } from '../../client/file-index';
import { FilesClient } from '../../client/files-client';
import { nameOf, displayPath } from '../../tree/display-path';
import { SortedFiles } from '../../tree/sorted-files';
import { DeletionLog, type LoggedDeletion } from './deletion-log';
import { showBatch } from './show-batch';

const CONCURRENCY = 6;
/** Larger deletions show their progress in the activity list. */
const SHOW_PROGRESS_ABOVE = 20;

interface Pending extends LoggedDeletion {
  readonly toast: ToastHandle;
  /** The number of files that could not be deleted; set when sending starts. */
  sent?: Promise<number>;
}

export interface DeletionOptions {
  /** The message to show, such as "Deleting notes.md…". */
  readonly words: string;
  /** Called when the deletion was undone. */
  readonly undone?: () => void;
}

/**
 * Deletes files with an undo period. Files disappear from the lists at once, and are deleted on the server when the
 * undo message closes. A file that changed in the meantime is not deleted. Deletions continue after the user leaves the
 * page; deletions interrupted by closing the browser are finished at the next start.
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
  #waitingMessage: ToastHandle | undefined;
  #isLeaving = false;

  constructor() {
    addEventListener('pagehide', () => this.#sendOnPageHide());
    effect(() => {
      const state = this.#session.state();
      // Undo deletions that were not sent: nothing is deleted after a sign-out.
      if (state === 'signed-out') untracked(() => [...this.#pending].forEach((each) => this.#undo(each)));
      if (state === 'signed-in') untracked(() => void this.#resume());
      if (state === 'unreachable') untracked(() => void this.#announceWaiting());
    });
  }

  delete(entries: readonly FileEntry[], { words, undone }: DeletionOptions): void {
    this.#index.hide(keysOf(entries));
    const run = (): void => {
      if (this.#undo(pending)) undone?.();
    };
    const toast = this.#toasts.showUndo(words, run);
    const pending: Pending = { id: crypto.randomUUID(), entries, toast };
    this.#pending.add(pending);
    void this.#log.record({ id: pending.id, entries });
    // Undo stays possible for as long as the message is visible.
    void toast.ended.then((how) => (how === 'action' ? undefined : this.#send(pending)));
  }

  /**
   * Sends pending deletions immediately.
   * @param keys only deletions that contain one of these keys; all deletions when omitted.
   * @returns the number of files that could not be deleted.
   */
  async flush(keys?: readonly string[]): Promise<number> {
    const requested = keys && new Set(keys);
    const due = [...this.#pending].filter(({ entries }) => !requested || entries.some(({ key }) => requested.has(key)));
    const failed = await Promise.all(due.map((pending) => this.#send(pending)));
    return failed.reduce((sum, count) => sum + count, 0);
  }

  /** @returns whether the deletion could still be undone. */
  #undo(pending: Pending): boolean {
    if (pending.sent || !this.#pending.delete(pending)) return false;
    pending.toast.close();
    void this.#log.remove(pending.id);
    this.#index.unhide(keysOf(pending.entries));
    return true;
  }

  #send(pending: Pending): Promise<number> {
    if (!this.#pending.has(pending)) return Promise.resolve(0);
    pending.sent ??= this.#execute(pending).finally(() => this.#pending.delete(pending));
    pending.toast.close();
    return pending.sent;
  }

  /**
   * Deletes the files that were not written again in the meantime.
   * @returns the number of files that could not be deleted.
   */
  async #execute({ id, entries }: LoggedDeletion): Promise<number> {
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
    const retried = (): void => this.#showRemaining(items);
    if (items.length > SHOW_PROGRESS_ABOVE)
      showBatch(this.#activities, batch, { title, done, problem: failureMessage, retried });
    await batch.start();
    this.#showRemaining(items);
    // While the page closes, the browser aborts running requests: such failures do not mean that the deletion failed.
    if (!this.#isLeaving) await this.#log.remove(id);
    const { failures } = batch.progress();
    if (failures.length > 0) this.#showFailures(failures);
    return failures.length;
  }

  async #deleteOne({ key, etag }: FileEntry, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.delete(key, { ifMatch: etag, signal });
    } catch (error) {
      // A file that no longer exists also answers 412.
      if (asHttpProblem(error).status !== 412 || !(await this.#isAbsent(key, signal))) throw error;
    }
  }

  async #isAbsent(key: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.head(key, signal);
      return false;
    } catch (error) {
      return asHttpProblem(error).status === 404;
    }
  }

  /** Hides the files of unfinished deletions, which need a connection, and offers to keep them. */
  async #announceWaiting(): Promise<void> {
    if (this.#waitingMessage) return;
    const waiting = await this.#log.claim();
    // Any page may finish them once it has a connection.
    waiting.forEach(({ id }) => this.#log.release(id));
    const keys = keysOf(waiting.flatMap(({ entries }) => entries));
    if (keys.length === 0) return;
    this.#index.hide(keys);
    const keep = (): void => {
      waiting.forEach(({ id }) => void this.#log.remove(id));
      this.#index.unhide(keys);
    };
    const message =
      keys.length === 1
        ? $localize`1 file will be deleted when the connection is back.`
        : $localize`${formatNumber(keys.length)}:count: files will be deleted when the connection is back.`;
    this.#waitingMessage = this.#toasts.show(message, { label: $localize`Undo`, run: keep });
  }

  /** Finishes the deletions of closed pages. */
  async #resume(): Promise<void> {
    this.#waitingMessage?.close();
    this.#waitingMessage = undefined;
    const unfinished = await this.#log.claim();
    if (unfinished.length === 0) return;
    const logged = unfinished.flatMap(({ entries }) => entries);
    this.#index.hide(keysOf(logged));
    try {
      const files = SortedFiles.of(await this.#client.list());
      const isUnchanged = ({ key, etag }: FileEntry): boolean => files.find(key)?.etag === etag;
      const due = unfinished.map(({ id, entries }) => ({ id, entries: entries.filter(isUnchanged) }));
      const failed = await Promise.all(due.map((each) => this.#execute(each)));
      const deleted = due.reduce((sum, { entries }, at) => sum + entries.length - (failed[at] ?? 0), 0);
      if (deleted === 1) this.#toasts.show($localize`Finished deleting 1 file.`);
      if (deleted > 1) this.#toasts.show($localize`Finished deleting ${formatNumber(deleted)}:count: files.`);
    } catch {
      // The file list is unavailable: a later page tries again.
      unfinished.forEach(({ id }) => this.#log.release(id));
    }
    this.#index.unhide(keysOf(logged));
  }

  /** Shows the files again that still exist. */
  #showRemaining(entries: readonly FileEntry[]): void {
    this.#index.flushChanges();
    this.#index.unhide(keysOf(entries));
  }

  #showFailures(failures: readonly Failure<FileEntry>[]): void {
    if (failures.some(({ problem }) => problem.status === 412)) this.#index.data.reload();
    const [first] = failures;
    if (failures.length === 1 && first) this.#toasts.show(failureMessage(first));
    else if (first) {
      const count = formatNumber(failures.length);
      this.#toasts.show($localize`${count}:count: files could not be deleted. ${failureMessage(first)}:first:`);
    }
  }

  /** Sends pending deletions while the page closes. Browsers allow only a few; the next page does the rest. */
  #sendOnPageHide(): void {
    this.#isLeaving = true;
    for (const pending of [...this.#pending].filter(({ sent }) => !sent)) {
      this.#pending.delete(pending);
      pending.toast.close();
      for (const { key, etag } of pending.entries) {
        // The page closes, so the result cannot be shown.
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
  if (problem.status === 412) return $localize`${name}:name: has changed in the meantime, so it was not deleted.`;
  return $localize`${name}:name: could not be deleted. ${problem.detail}:reason:`;
}
