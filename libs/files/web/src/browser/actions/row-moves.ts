import { inject, Service } from '@angular/core';
import { asHttpProblem, formatNumber, Toasts } from '@homeport/platform/web';
import { FileIndex } from '../../client/file-index';
import { EmptyFolders } from '../../folders/empty-folders';
import { withAncestors } from '../../folders/folder-paths';
import { displayPath, joinPath, nameOf } from '../../tree/display-path';
import { directoriesIn } from '../../tree/file-tree';
import { checkMoves, type MoveStep, planMove, resolveMoves } from '../../tree/rename-plan';
import { SortedFiles } from '../../tree/sorted-files';
import { ConflictDialog, type ConflictDialogData } from '../../uploads/conflict-dialog';
import type { ConflictChoice } from '../../uploads/upload-plan';
import { Dialogs } from '../dialogs/dialogs';
import { MoveDialog, type MoveDialogData } from '../dialogs/move-dialog';
import { type BrowserRow, filesOf } from '../grid/rows';
import { explainConflict, fileCountLabel, moveError, pathOf, rowCountLabel } from './action-messages';
import { type MoveMessages, Moves } from './moves';
import { RowFiles } from './row-files';

/** Moves rows to another folder, which a dialog asks for or onto which they are dragged. */
@Service()
export class RowMoves {
  readonly #dialogs = inject(Dialogs);
  readonly #emptyFolders = inject(EmptyFolders);
  readonly #index = inject(FileIndex);
  readonly #moves = inject(Moves);
  readonly #rowFiles = inject(RowFiles);
  readonly #toasts = inject(Toasts);

  /** Asks for the folder. @returns the new key when a single file was moved. */
  async move(rows: readonly BrowserRow[]): Promise<string | undefined> {
    const [row] = rows;
    if (!row || !(await this.#rowFiles.of(rows))) return undefined;
    const files = await this.#index.whenLoaded().catch(() => SortedFiles.empty);
    const folders = new Set([...directoriesIn(files), ...withAncestors(this.#emptyFolders.paths())]);
    const question: MoveDialogData = {
      title:
        rows.length === 1
          ? $localize`Move ${row.name}:name:`
          : $localize`Move ${formatNumber(rows.length)}:count: items`,
      directories: [...folders].sort(),
      fault: (directory) => moveError(rows, directory),
    };
    const target = await this.#dialogs.ask<string, MoveDialogData>(MoveDialog, question, 'move-title');
    return target === undefined ? undefined : this.moveTo(rows, target);
  }

  /**
   * Moves rows to a folder; asks what to do with names in use.
   * @param target a folder without `moveError`.
   * @returns the new key when a single file was moved.
   */
  async moveTo(rows: readonly BrowserRow[], target: string): Promise<string | undefined> {
    if (!(await this.#rowFiles.of(rows))) return undefined;
    // Listed again: an upload may have added files while the dialog was open.
    const files = this.#index.files() ?? SortedFiles.empty;
    const planned = rows.flatMap((each) => {
      const path = pathOf(each);
      return planMove(filesOf([each], files), path, joinPath(target, nameOf(path)));
    });
    const steps = await this.#withoutConflicts(planned);
    if (!steps) return undefined;
    const undoFolders = this.#moveFolders(rows, target);
    const words = messagesFor(planned.length === 0 ? rowCountLabel(rows) : fileCountLabel(steps.length), target);
    const [step, second] = steps;
    if (step && !second) return this.#moveOne(step, { ...words, undone: undoFolders });
    if (step) await this.#moves.moveAll(steps, { ...words, undone: undoFolders });
    // Only empty folders, which exist on this device.
    else if (planned.length === 0) this.#toasts.showUndo(words.done, undoFolders);
    return undefined;
  }

  async #moveOne(step: MoveStep, words: MoveMessages): Promise<string | undefined> {
    try {
      await this.#moves.moveOne(step, words).catch(explainConflict);
      return step.to;
    } catch (error) {
      const name = nameOf(displayPath(step.entry.key));
      this.#toasts.show($localize`${name}:name: was not moved. ${asHttpProblem(error).detail}:reason:`);
      return undefined;
    }
  }

  /** @returns the steps to carry out; undefined when the dialog about names in use was closed. */
  async #withoutConflicts(steps: readonly MoveStep[]): Promise<readonly MoveStep[] | undefined> {
    const find = (key: string) => this.#index.find(key);
    const checked = checkMoves(steps, (key) => find(key) !== undefined);
    if (checked.taken.length === 0) return steps;
    const names = checked.taken.map(({ to }) => nameOf(displayPath(to)));
    const question: ConflictDialogData = { names, total: steps.length };
    const choice = await this.#dialogs.ask<ConflictChoice, ConflictDialogData>(
      ConflictDialog,
      question,
      'conflict-title',
    );
    return choice && resolveMoves(checked, choice, find);
  }

  /** Moves the empty folders of the rows. @returns a function that moves them back. */
  #moveFolders(rows: readonly BrowserRow[], target: string): () => void {
    const wasEmpty = this.#emptyFolders.paths().has(target);
    const moves = rows.flatMap(({ directory }) =>
      directory ? [{ from: directory.path, to: joinPath(target, nameOf(directory.path)) }] : [],
    );
    for (const { from, to } of moves) this.#emptyFolders.move(from, to);
    return () => {
      for (const { from, to } of moves) this.#emptyFolders.move(to, from);
      // The folder had no files, so it would disappear with those that leave it again.
      if (wasEmpty) this.#emptyFolders.add(target);
    };
  }
}

function messagesFor(count: string, target: string): MoveMessages {
  const folder = target || $localize`Files`;
  return {
    title: $localize`Moving ${count}:count: to ${folder}:folder:`,
    done: $localize`Moved ${count}:count: to ${folder}:folder:`,
  };
}
