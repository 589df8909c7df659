import { effect, inject, Service, untracked } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { Activities, type PickedFile, Toasts, type ToastHandle } from '@homeport/platform/web';
import { Deletions } from '../browser/actions/deletions';
import { Dialogs } from '../browser/dialogs/dialogs';
import { FileIndex } from '../client/file-index';
import { nameOf } from '../tree/display-path';
import { newKey } from '../tree/file-tree';
import { SortedFiles } from '../tree/sorted-files';
import { ConflictDialog, type ConflictDialogData } from './conflict-dialog';
import { UploadBatch, type UploadBatchOptions } from './upload-batch';
import { UploadChannel } from './upload-channel';
import { type ConflictChoice, planUploads, resolveConflicts, type UploadItem } from './upload-plan';

/** Runs uploads in batches, one per selection of files. Uploads continue after the user leaves the page. */
@Service()
export class Uploads {
  readonly #channel = inject(UploadChannel);
  readonly #index = inject(FileIndex);
  readonly #activities = inject(Activities);
  readonly #deletions = inject(Deletions);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #session = inject(AuthSession);
  /** The batches in the activity list, by activity id. Dismissed batches are removed, so that their files are freed. */
  readonly #batches = new Map<UploadBatch, number>();

  #failedMessage: ToastHandle | undefined;

  constructor() {
    effect(() => {
      if (this.#session.state() === 'signed-out') untracked(() => this.#cancelAll());
    });
    effect(() => {
      const shown = new Set(this.#activities.list().map(({ id }) => id));
      for (const [batch, activity] of this.#batches) if (!shown.has(activity)) this.#batches.delete(batch);
    });
  }

  /**
   * Uploads files to a directory; asks first what to do with names in use. Does not wait until the files are listed:
   * the server also rejects names in use.
   *
   * @param directory the display path.
   * @param keyPrefix the prefix of the new keys; without it, the listed files decide.
   */
  async add(picked: readonly PickedFile[], directory: string, keyPrefix?: string): Promise<void> {
    const files = this.#index.files() ?? SortedFiles.empty;
    const keyFor = (path: string): string =>
      keyPrefix === undefined ? newKey(files, directory, path) : keyPrefix + path;
    const plan = planUploads(
      picked.map(({ file, path }) => ({ path, content: file })),
      { keyFor, isTaken: this.#isTaken },
    );
    const choice = plan.taken.length > 0 ? await this.#ask(plan.taken, picked.length - plan.ignored) : 'skip';
    if (choice === undefined) return;
    const items = [...plan.ready, ...resolveConflicts(plan.taken, choice, this.#isTaken)];
    const notes = plan.refused.map(({ path, fault }) => $localize`${path}:path: cannot be stored. ${fault}:reason:`);
    if (plan.ignored > 0) notes.push($localize`Ignored system files such as .DS_Store: ${plan.ignored}:count:`);
    if (items.length > 0)
      await this.#run({ items, notes, refused: plan.refused.length, target: nameOf(directory) || $localize`Files` });
    else if (notes.length > 0) this.#toasts.show(notes.join(' '));
    else if (plan.taken.length === 0) this.#toasts.show($localize`There are no files to upload.`);
  }

  /** The number of files that are not uploaded yet. */
  remaining(): number {
    return [...this.#batches.keys()].reduce((sum, batch) => sum + batch.remaining(), 0);
  }

  async #run({ items, ...rest }: Pick<UploadBatchOptions, 'items' | 'notes' | 'refused' | 'target'>): Promise<void> {
    await this.#deletions.flush(items.map(({ key }) => key));
    const owner = this.#session.user()?.sub;
    const batch = new UploadBatch({
      ...{ items, ...rest, channel: this.#channel },
      onDone: (message) => this.#toasts.show(message),
      onFailed: (message) => this.#showFailed(message),
      onStored: (added) => {
        // An upload that finishes after the user has changed must not appear in the new user's list.
        if (this.#session.user()?.sub === owner) this.#index.queueChange({ added });
      },
      ask: (taken) => this.#ask(taken, items.length),
      resolveConflict: (item, choice) => resolveConflicts([item], choice, this.#isTaken)[0] ?? item,
    });
    this.#batches.set(batch, this.#activities.add(batch.view).id);
    await batch.start();
    this.#index.flushChanges();
  }

  /** Shows the message until the user responds; a later one replaces it. */
  #showFailed(message: string): void {
    this.#failedMessage?.close();
    const show = { label: $localize`Show errors`, run: () => this.#activities.open() };
    this.#failedMessage = this.#toasts.show(message, show);
  }

  readonly #isTaken = (key: string): boolean => this.#index.find(key) !== undefined;

  #ask(taken: readonly UploadItem[], total: number): Promise<ConflictChoice | undefined> {
    const question: ConflictDialogData = { names: taken.map(({ path }) => path), total };
    return this.#dialogs.ask<ConflictChoice, ConflictDialogData>(ConflictDialog, question, 'conflict-title');
  }

  /** Cancels all uploads at sign-out. */
  #cancelAll(): void {
    for (const [batch, activity] of this.#batches) {
      batch.cancel();
      this.#activities.dismiss(activity);
    }
    this.#batches.clear();
    this.#failedMessage?.close();
  }
}
