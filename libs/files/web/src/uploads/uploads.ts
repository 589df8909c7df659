import { effect, inject, Service, untracked } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { Activities, type PickedFile, Toasts } from '@homeport/platform/web';
import { Deletions } from '../browser/actions/deletions';
import { Dialogs } from '../browser/dialogs/dialogs';
import { FileIndex } from '../client/file-index';
import { nameOf, newKey } from '../tree/file-tree';
import { SortedFiles } from '../tree/sorted-files';
import { ConflictDialog, type ConflictDialogData } from './conflict-dialog';
import { UploadBatch } from './upload-batch';
import { UploadChannel } from './upload-channel';
import { type ConflictChoice, planUploads, resolveConflicts, type UploadItem } from './upload-plan';

/** The files being uploaded, in batches as they were picked. It outlives the page that started it. */
@Service()
export class Uploads {
  readonly #channel = inject(UploadChannel);
  readonly #index = inject(FileIndex);
  readonly #activities = inject(Activities);
  readonly #deletions = inject(Deletions);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #session = inject(AuthSession);
  /** Those that are shown; with what is not, its files are let go of. */
  readonly #batches = new Map<UploadBatch, number>();

  constructor() {
    effect(() => {
      if (this.#session.state() === 'signed-out') untracked(() => this.#drop());
    });
    effect(() => {
      const shown = new Set(this.#activities.list().map(({ id }) => id));
      for (const [batch, activity] of this.#batches) if (!shown.has(activity)) this.#batches.delete(batch);
    });
  }

  /** Uploads to a directory by its shown path, after asking what to do with names that are taken. */
  async add(picked: readonly PickedFile[], directory: string): Promise<void> {
    const files = this.#index.files() ?? SortedFiles.empty;
    const plan = planUploads(
      picked.map(({ file, path }) => ({ path, content: file })),
      { keyFor: (path) => newKey(files, directory, path), isTaken: this.#isTaken },
    );
    const choice = plan.taken.length > 0 ? await this.#ask(plan.taken, picked.length - plan.ignored) : 'skip';
    if (choice === undefined) return;
    const items = [...plan.ready, ...resolveConflicts(plan.taken, choice, this.#isTaken)];
    const notes = plan.refused.map(({ path, fault }) => $localize`${path}:path: cannot be stored. ${fault}:reason:`);
    if (plan.ignored > 0)
      notes.push($localize`Left out what the system keeps in folders, such as .DS_Store: ${plan.ignored}:count:`);
    if (items.length > 0) await this.#run(items, nameOf(directory) || $localize`Files`, notes);
    else if (notes.length > 0) this.#toasts.show(notes.join(' '));
    else if (plan.taken.length === 0) this.#toasts.show($localize`There is no file in it.`);
  }

  /** How many files have yet to arrive. */
  remaining(): number {
    return [...this.#batches.keys()].reduce((sum, batch) => sum + batch.remaining(), 0);
  }

  async #run(items: readonly UploadItem[], target: string, notes: readonly string[]): Promise<void> {
    await this.#deletions.flush(items.map(({ key }) => key));
    const owner = this.#session.user()?.sub;
    const batch = new UploadBatch({
      ...{ items, target, notes, channel: this.#channel },
      onStored: (added) => {
        // What is answered after its owner has left is in nobody's list.
        if (this.#session.user()?.sub === owner) this.#index.queueChange({ added });
      },
      ask: (taken) => this.#ask(taken, items.length),
      resolveConflict: (item, choice) => resolveConflicts([item], choice, this.#isTaken)[0] ?? item,
    });
    this.#batches.set(batch, this.#activities.add(batch.view).id);
    await batch.start();
    this.#index.flushChanges();
  }

  readonly #isTaken = (key: string): boolean => this.#index.find(key) !== undefined;

  #ask(taken: readonly UploadItem[], total: number): Promise<ConflictChoice | undefined> {
    const question: ConflictDialogData = { names: taken.map(({ path }) => path), total };
    return this.#dialogs.ask<ConflictChoice, ConflictDialogData>(ConflictDialog, question, 'conflict-title');
  }

  /** Nothing of somebody who has left goes on. */
  #drop(): void {
    for (const [batch, activity] of this.#batches) {
      batch.cancel();
      this.#activities.dismiss(activity);
    }
    this.#batches.clear();
  }
}
