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

/** More than these are asked about before they are deleted. */
const ASK_ABOVE = 50;
/** Each is a download of its own, and browsers let a page start a few. */
const MOST_DOWNLOADS = 10;

/** What people do with the lines of a directory. */
@Service()
export class FileActions {
  readonly #client = inject(FilesClient);
  readonly #clipboard = inject(Clipboard);
  readonly #confirmations = inject(Confirmations);
  readonly #deletions = inject(Deletions);
  readonly #dialogs = inject(Dialogs);
  readonly #index = inject(FileIndex);
  readonly #kept = inject(CachedFilesClient);
  readonly #moves = inject(Moves);
  readonly #offline = inject(OfflineFiles);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);

  /** Makes an empty file in a directory and opens it for writing. */
  async newFile(directory: string): Promise<void> {
    const keyFor = (name: string): string => newKey(this.#files(), directory, name.normalize('NFC'));
    const name = await this.#askName({
      title: $localize`New file`,
      label: $localize`Name`,
      hint: (written) => this.#besideHint(directory, written) ?? $localize`A slash makes a directory: notes/plan.md`,
      action: $localize`Create file`,
      initial: 'untitled.md',
      fault: (written) => typedPathError(directory, written) ?? this.#takenFault(keyFor(written)),
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
      planMove(entries, path, joined(parentOf(path), name.normalize('NFC')));
    let later: readonly MoveStep[] = [];
    const renamed = await this.#askName({
      title: $localize`Rename ${line.name}:name:`,
      label: $localize`New name`,
      hint: (name) =>
        (name === line.name ? undefined : this.#besideHint(parentOf(path), name)) ??
        (line.entry ? '' : fileCountLabel(entries.length)),
      action: $localize`Rename`,
      initial: line.name,
      fault: (name) => this.#renameFault(line.name, name, stepsFor),
      run: async (name) => {
        const steps = stepsFor(name);
        const words = {
          title: $localize`Renaming ${line.name}:name:`,
          done: $localize`Renamed ${line.name}:old: to ${name}:new:.`,
        };
        const [step] = steps;
        if (line.entry && step) await this.#moves.moveOne(step, words).catch(explainTaken);
        else later = steps;
      },
    });
    if (renamed === undefined || later.length === 0) return;
    const done = $localize`Renamed ${line.name}:old: to ${renamed}:new:.`;
    await this.#moves.moveAll(later, { title: $localize`Renaming ${line.name}:name:`, done });
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
      fault: (directory) => moveFault(lines, directory),
    };
    const target = await this.#dialogs.ask<string, MoveDialogData>(MoveDialog, question, 'move-title');
    if (target === undefined) return;
    const steps = lines.flatMap((each) => {
      const path = pathOf(each);
      return planMove(this.#entriesOf([each]), path, joined(target, nameOf(path)));
    });
    const place = target || $localize`Files`;
    const count = fileCountLabel(steps.length);
    const words = {
      title: $localize`Moving ${count}:count: to ${place}:directory:`,
      done: $localize`Moved ${count}:count: to ${place}:directory:.`,
    };
    const [step] = steps;
    if (steps.length > 1 || !step) return this.#moves.moveAll(steps, words);
    await this.#moves
      .moveOne(step, words)
      .catch(explainTaken)
      .catch((error: unknown) =>
        this.#toasts.show($localize`${line.name}:name: was not moved. ${asHttpProblem(error).detail}:reason:`),
      );
  }

  /** @returns whether they are deleted, as far as the person is concerned. @param undone they are back again. */
  async delete(lines: readonly BrowserRow[], undone: () => void): Promise<boolean> {
    const [line] = lines;
    const entries = this.#entriesOf(lines);
    if (!line || entries.length === 0) return false;
    const count = fileCountLabel(entries.length);
    const what = lines.length === 1 ? line.name : count;
    if (entries.length > ASK_ABOVE || lines.some(({ directory }) => directory)) {
      const agreed = await this.#confirmations.ask({
        title: $localize`Delete ${what}:name:?`,
        text: $localize`This deletes ${count}:count:. You can undo it for a few seconds.`,
        action: $localize`Delete ${count}:count:`,
        run: () => Promise.resolve(),
      });
      if (!agreed) return false;
    }
    this.#deletions.delete(entries, { words: $localize`Deleted ${what}:name:.`, undone });
    return true;
  }

  async download(lines: readonly BrowserRow[]): Promise<void> {
    const entries = this.#entriesOf(lines);
    if (entries.length > MOST_DOWNLOADS) {
      this.#toasts.show(
        $localize`These are ${fileCountLabel(entries.length)}:count:. Up to ${MOST_DOWNLOADS}:most: can be downloaded at once.`,
      );
      return;
    }
    for (const { key } of entries) {
      const name = nameOf(key);
      try {
        const { content } = await this.#kept.get(key);
        saveFile(content, name);
      } catch (error) {
        this.#toasts.show($localize`${name}:name: could not be downloaded. ${asHttpProblem(error).detail}:reason:`);
      }
    }
  }

  /** Keeps a file on this device, or lets go of it. */
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

  #takenFault(key: string): string | undefined {
    return this.#index.find(key) ? $localize`There is a file of that name already.` : undefined;
  }

  /** A file and a directory may have one name: the name of a directory is only the beginning of others. */
  #besideHint(directory: string, name: string): string | undefined {
    const path = joined(directory, name.normalize('NFC'));
    return name === '' || filesUnder(this.#files(), path).next().done
      ? undefined
      : $localize`There is a directory of that name. Both can stand side by side.`;
  }

  #renameFault(before: string, name: string, stepsFor: (name: string) => readonly MoveStep[]): string | undefined {
    if (name.normalize('NFC') === before) return '';
    if (name.includes('/')) return $localize`A name has no slash. To put it elsewhere, move it.`;
    const unseen = typedPathError('', name);
    if (unseen) return unseen;
    for (const { to } of stepsFor(name)) {
      const fault = faultIn(parseTypedPath('', to)) ?? this.#takenFault(to);
      if (fault) return fault;
    }
    return undefined;
  }
}

function pathOf(line: BrowserRow): string {
  return line.entry ? displayPath(line.entry.key) : line.directory.path;
}

function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

function faultIn(parsed: ParsedFilePath): string | undefined {
  return 'fault' in parsed ? pathErrorMessage(parsed.fault) : undefined;
}

function moveFault(lines: readonly BrowserRow[], target: string): string | undefined {
  if (lines.some(({ directory }) => directory && isWithin(target, directory.path))) {
    return $localize`A directory cannot be moved into itself.`;
  }
  return lines.every((line) => parentOf(pathOf(line)) === target) ? $localize`It is there already.` : undefined;
}

function fileCountLabel(count: number): string {
  return count === 1 ? $localize`1 file` : $localize`${formatNumber(count)}:count: files`;
}

/** A 412 of a move means more to people when it is said what was in the way. */
function explainTaken(error: unknown): never {
  const problem = asHttpProblem(error);
  if (problem.status !== 412) throw problem;
  throw new HttpProblem({
    kind: problem.kind,
    status: problem.status,
    code: problem.code,
    title: $localize`It stayed where it was`,
    detail: $localize`There is a file of that name already, or this one was changed meanwhile.`,
  });
}
