import { effect, inject, Service, untracked } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { Activities, formatNumber, type ToastHandle, Toasts } from '@homeport/platform/web';
import { Batch, type Failure } from '../../client/batch';
import { FileIndex } from '../../client/file-index';
import { FilesClient } from '../../client/files-client';
import { nameOf, shownPath } from '../../tree/file-tree';
import { showBatch } from './show-batch';

const AT_ONCE = 6;
/** More than these are a work to be seen. */
const QUIET = 20;

interface Pending {
  readonly entries: readonly FileEntry[];
  readonly toast: ToastHandle;
}

/**
 * Deletes with a way back: the files are gone from the lists at once, and from the server when nobody has taken it back
 * for some seconds. A file that was changed meanwhile stays. It outlives the page that asked.
 */
@Service()
export class Deletions {
  readonly #client = inject(FilesClient);
  readonly #index = inject(FileIndex);
  readonly #toasts = inject(Toasts);
  readonly #activities = inject(Activities);
  readonly #session = inject(AuthSession);
  readonly #pending = new Set<Pending>();

  constructor() {
    addEventListener('pagehide', () => this.#sendNow());
    effect(() => {
      // What nobody has sent yet stays: the files of somebody who has left are not touched.
      if (this.#session.state() === 'signed-out')
        untracked(() => [...this.#pending].forEach((each) => this.#undo(each)));
    });
  }

  /** @param words what was deleted, for the message. */
  delete(entries: readonly FileEntry[], words: string): void {
    this.#index.hide(keysOf(entries));
    const undo = { label: $localize`Undo`, run: (): void => this.#undo(pending) };
    const pending: Pending = { entries, toast: this.#toasts.show(words, undo, { passing: true }) };
    this.#pending.add(pending);
    // As long as there is a way back to be seen, it is one.
    void pending.toast.ended.then((how) => (how === 'action' ? undefined : this.#send(pending)));
  }

  #undo(pending: Pending): void {
    if (!this.#take(pending)) return;
    this.#index.unhide(keysOf(pending.entries));
  }

  /** @returns whether it was still to be sent. */
  #take(pending: Pending): boolean {
    const isPending = this.#pending.delete(pending);
    pending.toast.close();
    return isPending;
  }

  async #send(pending: Pending): Promise<void> {
    if (!this.#take(pending)) return;
    const { entries } = pending;
    const batch = new Batch<FileEntry>({
      items: entries,
      atOnce: AT_ONCE,
      run: async ({ key, etag }, signal) => {
        await this.#client.delete(key, { ifMatch: etag, signal });
        this.#index.changeSoon({ removed: key });
      },
    });
    const done = $localize`Deleted ${formatNumber(entries.length)}:count: files`;
    const title = $localize`Deleting ${formatNumber(entries.length)}:count: files`;
    const retried = (): void => this.#settle(entries);
    if (entries.length > QUIET) showBatch(this.#activities, batch, { title, done, problem: failureWords, retried });
    await batch.start();
    this.#settle(entries);
    const { failures } = batch.standing();
    if (failures.length > 0) this.#tell(failures);
  }

  /** What is still there is shown again. */
  #settle(entries: readonly FileEntry[]): void {
    this.#index.applyChanges();
    this.#index.unhide(keysOf(entries));
  }

  #tell(failures: readonly Failure<FileEntry>[]): void {
    if (failures.some(({ problem }) => problem.status === 412)) this.#index.refresh();
    const [first] = failures;
    if (failures.length === 1 && first) this.#toasts.show(failureWords(first));
    else if (first) {
      const count = formatNumber(failures.length);
      this.#toasts.show($localize`${count}:count: files could not be deleted. ${failureWords(first)}:first:`);
    }
  }

  /** The page is being left: what is pending goes out as it goes. */
  #sendNow(): void {
    for (const pending of [...this.#pending]) {
      this.#take(pending);
      for (const { key, etag } of pending.entries) {
        // Nobody is left to hear how it ended; what is not deleted is there the next time.
        this.#client.delete(key, { ifMatch: etag, keepalive: true }).catch(() => undefined);
      }
    }
  }
}

function keysOf(entries: readonly FileEntry[]): readonly string[] {
  return entries.map(({ key }) => key);
}

function failureWords({ item, problem }: Failure<FileEntry>): string {
  const name = nameOf(shownPath(item.key));
  if (problem.status === 412) return $localize`${name}:name: was changed meanwhile, so it was kept.`;
  return $localize`${name}:name: could not be deleted. ${problem.detail}:reason:`;
}
