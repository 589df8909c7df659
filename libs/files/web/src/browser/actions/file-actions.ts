import { Clipboard } from '@angular/cdk/clipboard';
import { inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import type { FileEntry, ParsedFilePath } from '@homeport/files/contracts';
import { asHttpProblem, Confirmations, formatNumber, HttpProblem, Toasts } from '@homeport/platform/web';
import { FileIndex } from '../../client/file-index';
import { FilesClient } from '../../client/files-client';
import { toggleOfflinePin } from '../../offline/offline-pin-button';
import { CachedFilesClient } from '../../offline/cached-files-client';
import { OfflineFiles } from '../../offline/offline-files';
import { directoryLink, editLink, viewUrl } from '../../tree/file-links';
import { directoriesIn, filesUnder, nameOf, newKey, parentOf, displayPath } from '../../tree/file-tree';
import { isWithin, type MoveStep, planMove, parseTypedPath } from '../../tree/rename-plan';
import { pathErrorMessage, typedPathError } from '../../tree/path-error-messages';
import { SortedFiles } from '../../tree/sorted-files';
import { saveFile } from '../../viewer/save-file';
import { Dialogs } from '../dialogs/dialogs';
import { MoveDialog, type MoveDialogData } from '../dialogs/move-dialog';
import { NameDialog, type NameDialogData } from '../dialogs/name-dialog';
import { type BrowserRow, filesOf } from '../grid/rows';
import { Deletions } from './deletions';
import { Moves } from './moves';

/** Deleting more files than this needs a confirmation. */
const CONFIRM_ABOVE = 50;
/** Each file is a separate download, and browsers let a page start only a few. */
const MAX_DOWNLOADS = 10;

/** The actions on the rows of a directory. */
@Service()
export class FileActions {
  readonly #client = inject(FilesClient);
  readonly #clipboard = inject(Clipboard);
  readonly #confirmations = inject(Confirmations);
  readonly #deletions = inject(Deletions);
  readonly #dialogs = inject(Dialogs);
  readonly #index = inject(FileIndex);
  readonly #cachedFiles = inject(CachedFilesClient);
  readonly #moves = inject(Moves);
  readonly #offline = inject(OfflineFiles);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);

  /** Creates an empty file in a directory and opens it in the editor. */
  async newFile(directory: string): Promise<void> {
    const keyFor = (name: string): string => newKey(this.#files(), directory, name.normalize('NFC'));
    const name = await this.#askName({
      title: $localize`New file`,
      label: $localize`Name`,
      hint: (written) =>
        this.#sameNameHint(directory, written) ?? $localize`A slash creates a directory: notes/plan.md`,
      action: $localize`Create file`,
      initial: 'untitled.md',
      fault: (written) => typedPathError(directory, written) ?? this.#nameTakenError(keyFor(written)),
      run: async (written) => {
        await this.#deletions.flush([keyFor(written)]);
        this.#index.add(await this.#client.put(keyFor(written), '', { ifAbsent: true }));
      },
    });
    if (name !== undefined) await this.#router.navigate([...editLink(keyFor(name))]);
  }

  async rename(line: BrowserRow): Promise<void> {
    const path = line.entry ? displayPath(line.entry.key) : line.directory.path;
    const entries = this.#entriesOf([line]);
    const stepsFor = (name: string): readonly MoveStep[] =>
      planMove(entries, path, joinPath(parentOf(path), name.normalize('NFC')));
    let remainingSteps: readonly MoveStep[] = [];
    const renamed = await this.#askName({
      title: $localize`Rename ${line.name}:name:`,
      label: $localize`New name`,
      hint: (name) =>
        (name === line.name ? undefined : this.#sameNameHint(parentOf(path), name)) ??
        (line.entry ? '' : fileCountLabel(entries.length)),
      action: $localize`Rename`,
      initial: line.name,
      fault: (name) => this.#renameError(line.name, name, stepsFor),
      run: async (name) => {
        const steps = stepsFor(name);
        const words = {
          title: $localize`Renaming ${line.name}:name:`,
          done: $localize`Renamed ${line.name}:old: to ${name}:new:.`,
        };
        const [step] = steps;
        if (line.entry && step) await this.#moves.moveOne(step, words).catch(explainConflict);
        else remainingSteps = steps;
      },
    });
    if (renamed === undefined || remainingSteps.length === 0) return;
    const done = $localize`Renamed ${line.name}:old: to ${renamed}:new:.`;
    await this.#moves.moveAll(remainingSteps, { title: $localize`Renaming ${line.name}:name:`, done });
  }

  async move(lines: readonly BrowserRow[]): Promise<void> {
    const [line] = lines;
    if (!line) return;
    const question: MoveDialogData = {
      title:
        lines.length === 1
          ? $localize`Move ${line.name}:name:`
          : $localize`Move ${formatNumber(lines.length)}:count: entries`,
      directories: directoriesIn(this.#files()),
      fault: (directory) => moveError(lines, directory),
    };
    const target = await this.#dialogs.ask<string, MoveDialogData>(MoveDialog, question, 'move-title');
    if (target === undefined) return;
    const steps = lines.flatMap((each) => {
      const path = pathOf(each);
      return planMove(this.#entriesOf([each]), path, joinPath(target, nameOf(path)));
    });
    const targetName = target || $localize`Files`;
    const count = fileCountLabel(steps.length);
    const words = {
      title: $localize`Moving ${count}:count: to ${targetName}:directory:`,
      done: $localize`Moved ${count}:count: to ${targetName}:directory:.`,
    };
    const [step] = steps;
    if (steps.length > 1 || !step) return this.#moves.moveAll(steps, words);
    await this.#moves
      .moveOne(step, words)
      .catch(explainConflict)
      .catch((error: unknown) =>
        this.#toasts.show($localize`${line.name}:name: was not moved. ${asHttpProblem(error).detail}:reason:`),
      );
  }

  /**
   * Deletes files and directories, with an undo period.
   * @param undone called when the deletion was undone.
   * @returns whether the deletion was started; false when it was not confirmed or there is nothing to delete.
   */
  async delete(lines: readonly BrowserRow[], undone: () => void): Promise<boolean> {
    const [line] = lines;
    const entries = this.#entriesOf(lines);
    if (!line || entries.length === 0) return false;
    const count = fileCountLabel(entries.length);
    const subject = lines.length === 1 ? line.name : count;
    if (entries.length > CONFIRM_ABOVE || lines.some(({ directory }) => directory)) {
      const agreed = await this.#confirmations.ask({
        title: $localize`Delete ${subject}:name:?`,
        text: $localize`This deletes ${count}:count:. You can undo it for a few seconds.`,
        action: $localize`Delete ${count}:count:`,
        run: () => Promise.resolve(),
      });
      if (!agreed) return false;
    }
    this.#deletions.delete(entries, { words: $localize`Deleted ${subject}:name:.`, undone });
    return true;
  }

  async download(lines: readonly BrowserRow[]): Promise<void> {
    const entries = this.#entriesOf(lines);
    if (entries.length > MAX_DOWNLOADS) {
      this.#toasts.show(
        $localize`You selected ${fileCountLabel(entries.length)}:count:. Up to ${MAX_DOWNLOADS}:most: can be downloaded at once.`,
      );
      return;
    }
    for (const { key } of entries) {
      const name = nameOf(key);
      try {
        const { content } = await this.#cachedFiles.get(key);
        saveFile(content, name);
      } catch (error) {
        this.#toasts.show($localize`${name}:name: could not be downloaded. ${asHttpProblem(error).detail}:reason:`);
      }
    }
  }

  /** Keeps a file offline, or stops keeping it offline. */
  async toggleOfflinePin({ entry }: BrowserRow): Promise<void> {
    if (entry) await toggleOfflinePin({ offline: this.#offline, toasts: this.#toasts, key: entry.key });
  }

  copyLink(line: BrowserRow): void {
    const address = line.entry
      ? viewUrl(line.entry.key)
      : this.#router.serializeUrl(this.#router.createUrlTree([...directoryLink(line.directory.path)]));
    const isCopied = this.#clipboard.copy(location.origin + address);
    this.#toasts.show(isCopied ? $localize`Link copied.` : $localize`The link could not be copied.`);
  }

  #askName(question: NameDialogData): Promise<string | undefined> {
    return this.#dialogs.ask<string, NameDialogData>(NameDialog, question, 'name-title');
  }

  #files(): SortedFiles {
    return this.#index.files() ?? SortedFiles.empty;
  }

  #entriesOf(lines: readonly BrowserRow[]): readonly FileEntry[] {
    return filesOf(lines, this.#files());
  }

  #nameTakenError(key: string): string | undefined {
    return this.#index.find(key) ? $localize`A file with this name already exists.` : undefined;
  }

  /** A file and a directory can have the same name, because a directory is only the common prefix of keys. */
  #sameNameHint(directory: string, name: string): string | undefined {
    const path = joinPath(directory, name.normalize('NFC'));
    return name === '' || filesUnder(this.#files(), path).next().done
      ? undefined
      : $localize`A directory with this name exists. A file and a directory can share a name.`;
  }

  #renameError(before: string, name: string, stepsFor: (name: string) => readonly MoveStep[]): string | undefined {
    if (name.normalize('NFC') === before) return '';
    if (name.includes('/')) return $localize`A name cannot contain a slash. Use “Move to…” to change the directory.`;
    const typedError = typedPathError('', name);
    if (typedError) return typedError;
    for (const { to } of stepsFor(name)) {
      const error = pathError(parseTypedPath('', to)) ?? this.#nameTakenError(to);
      if (error) return error;
    }
    return undefined;
  }
}

function pathOf(line: BrowserRow): string {
  return line.entry ? displayPath(line.entry.key) : line.directory.path;
}

function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

function pathError(parsed: ParsedFilePath): string | undefined {
  return 'fault' in parsed ? pathErrorMessage(parsed.fault) : undefined;
}

function moveError(lines: readonly BrowserRow[], target: string): string | undefined {
  if (lines.some(({ directory }) => directory && isWithin(target, directory.path))) {
    return $localize`A directory cannot be moved into itself.`;
  }
  return lines.every((line) => parentOf(pathOf(line)) === target)
    ? $localize`It is already in this directory.`
    : undefined;
}

function fileCountLabel(count: number): string {
  return count === 1 ? $localize`1 file` : $localize`${formatNumber(count)}:count: files`;
}

/** Replaces the general message of a 412 with the possible causes for a move. */
function explainConflict(error: unknown): never {
  const problem = asHttpProblem(error);
  if (problem.status !== 412) throw problem;
  throw new HttpProblem({
    kind: problem.kind,
    status: problem.status,
    code: problem.code,
    title: $localize`Not moved`,
    detail: $localize`A file with this name already exists, or this file has changed in the meantime.`,
  });
}
