import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { Activities, asHttpProblem, formatNumber, HttpProblem, Toasts } from '@homeport/platform/web';
import { Batch, type Failure } from '../../client/batch';
import { FileIndex } from '../../client/file-index';
import { FilesClient } from '../../client/files-client';
import { rememberMoved } from '../../client/moved-files';
import { nameOf, displayPath } from '../../tree/display-path';
import type { MoveStep } from '../../tree/rename-plan';
import { Deletions } from './deletions';
import { showBatch } from './show-batch';

const CONCURRENCY = 4;

export interface MoveMessages {
  readonly title: string;
  readonly done: string;
  /** Called after the user has undone the move. */
  readonly undone?: () => void;
}

/**
 * Renames and moves files. The storage has no such operation: a file is read, written to the new key and then deleted
 * from the old key. In this order, the file always exists at least once.
 */
@Service()
export class Moves {
  readonly #client = inject(FilesClient);
  readonly #deletions = inject(Deletions);
  readonly #index = inject(FileIndex);
  readonly #toasts = inject(Toasts);
  readonly #activities = inject(Activities);
  /** Moved since the list was last changed. */
  readonly #moved: FileEntry[] = [];

  /** Moves one file. @throws {HttpProblem} the file was not moved. */
  async moveOne(step: MoveStep, words: MoveMessages): Promise<void> {
    await this.#deletions.flush([step.to]);
    const moved = await this.#move(step);
    this.#applyMoved();
    // A replaced file cannot be restored, so such a move cannot be undone.
    if (step.replaces === undefined) this.#offerUndo([{ entry: moved, to: step.entry.key }], words);
    else this.#toasts.show(words.done, undefined, { autoClose: true });
  }

  /** Moves many files, with the progress in the activity list. */
  async moveAll(steps: readonly MoveStep[], words: MoveMessages): Promise<void> {
    await this.#deletions.flush(steps.map(({ to }) => to));
    let undoSteps: MoveStep[] = [];
    const batch = new Batch<MoveStep>({
      items: steps,
      concurrency: CONCURRENCY,
      run: async (step, signal) => {
        const moved = await this.#move(step, signal);
        if (step.replaces === undefined) undoSteps.push({ entry: moved, to: step.entry.key });
      },
    });
    const finish = (): void => {
      this.#applyMoved();
      const { total, done } = batch.progress();
      const { undone } = words;
      const message = done === total ? words : { ...partlyMoved(done, total), ...(undone && { undone }) };
      if (undoSteps.length > 0) this.#offerUndo(undoSteps, message);
      undoSteps = [];
    };
    showBatch(this.#activities, batch, { ...words, problem: failureMessage, retried: finish });
    await batch.start();
    finish();
  }

  #offerUndo(undoSteps: readonly MoveStep[], { done, undone }: Omit<MoveMessages, 'title'>): void {
    const words = { title: $localize`Moving back`, done: $localize`Moved back` };
    const run = (): void => void this.#moveBack(undoSteps, words).then(undone);
    this.#toasts.showUndo(done, run);
  }

  async #moveBack(steps: readonly MoveStep[], words: MoveMessages): Promise<void> {
    const [step] = steps;
    if (!step || steps.length > 1) return this.moveAll(steps, words);
    try {
      await this.#move(step);
      this.#applyMoved();
    } catch (error) {
      this.#toasts.show(failureMessage({ item: step, problem: asHttpProblem(error) }));
    }
  }

  /** @throws {HttpProblem} the file is still at the old key; with the code `client.half-moved`, it is at both keys. */
  async #move({ entry, to, replaces }: MoveStep, signal?: AbortSignal): Promise<FileEntry> {
    const { content, contentType, etag } = await this.#client.get(entry.key, signal);
    const condition = replaces === undefined ? { ifAbsent: true } : { ifMatch: replaces };
    const written = await this.#client.put(to, content, { ...condition, contentType, ...(signal && { signal }) });
    // From here on the move is completed even when it is cancelled.
    try {
      await this.#client.delete(entry.key, { ifMatch: etag });
    } catch (error) {
      await this.#removeCopy(written, replaces !== undefined);
      throw error;
    }
    this.#index.queueChange({ added: written, removed: entry.key });
    this.#moved.push(written);
    return written;
  }

  #applyMoved(): void {
    // Before the change: the list of modified files is derived from both.
    rememberMoved(this.#moved.splice(0));
    this.#index.flushChanges();
  }

  /** Deletes the new file again, because the old file could not be deleted. One that replaced another file stays. */
  async #removeCopy(copy: FileEntry, hasReplaced: boolean): Promise<void> {
    try {
      if (!hasReplaced) return await this.#client.delete(copy.key, { ifMatch: copy.etag });
    } catch {
      // Reported below, as the file now exists twice.
    }
    this.#index.add(copy);
    throw new HttpProblem({
      kind: 'unexpected',
      status: 0,
      code: 'client.half-moved',
      title: $localize`Old file not deleted`,
      detail: $localize`The file was copied, but the old file could not be deleted. Both files exist now.`,
    });
  }
}

function partlyMoved(moved: number, total: number): Pick<MoveMessages, 'done'> {
  const [some, all] = [formatNumber(moved), formatNumber(total)];
  return { done: $localize`Moved ${some}:moved: of ${all}:total: files. The others were not moved.` };
}

function failureMessage({ item, problem }: Failure<MoveStep>): string {
  const name = nameOf(displayPath(item.entry.key));
  if (problem.status === 412) {
    return $localize`${name}:name: was not moved: a file with this name already exists, or the file has changed in the meantime.`;
  }
  if (problem.code === 'client.half-moved') return `${name}: ${problem.detail}`;
  return $localize`${name}:name: was not moved. ${problem.detail}:reason:`;
}
