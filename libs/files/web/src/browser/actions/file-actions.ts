import { Clipboard } from '@angular/cdk/clipboard';
import { inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import { type FileEntry, MAX_ARCHIVE_PATHS } from '@homeport/files/contracts';
import { asHttpProblem, Confirmations, Connection, formatNumber, Toasts } from '@homeport/platform/web';
import { FileIndex } from '../../client/file-index';
import { FilesClient } from '../../client/files-client';
import { toggleOfflinePin } from '../../offline/offline-pin-button';
import { CachedFilesClient } from '../../offline/cached-files-client';
import { OfflineFiles } from '../../offline/offline-files';
import { directoryLink, editLink, viewUrl } from '../../tree/file-links';
import { directoriesIn, filesUnder, joinPath, nameOf, newKey, parentOf } from '../../tree/file-tree';
import { type MoveStep, planMove, parseTypedPath } from '../../tree/rename-plan';
import { typedPathError } from '../../tree/path-error-messages';
import { SortedFiles } from '../../tree/sorted-files';
import { saveFile } from '../../viewer/save-file';
import { Dialogs } from '../dialogs/dialogs';
import { MoveDialog, type MoveDialogData } from '../dialogs/move-dialog';
import { NameDialog, type NameDialogData } from '../dialogs/name-dialog';
import { type BrowserRow, directoryId, filesOf } from '../grid/rows';
import { explainConflict, fileCountLabel, linkCopiedMessage, moveError, pathError, pathOf } from './action-messages';
import { ArchiveDownloads } from './archive-downloads';
import { archivePathsOf, directoryPaths } from './archive-paths';
import { Deletions } from './deletions';
import { Moves } from './moves';

/** Deleting more files than this needs a confirmation. */
const CONFIRM_ABOVE = 50;

/** The actions on the rows of a directory. */
@Service()
export class FileActions {
  readonly #client = inject(FilesClient);
  readonly #clipboard = inject(Clipboard);
  readonly #confirmations = inject(Confirmations);
  readonly #connection = inject(Connection);
  readonly #deletions = inject(Deletions);
  readonly #dialogs = inject(Dialogs);
  readonly #downloads = inject(ArchiveDownloads);
  readonly #index = inject(FileIndex);
  readonly #cachedFiles = inject(CachedFilesClient);
  readonly #moves = inject(Moves);
  readonly #offline = inject(OfflineFiles);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);

  /** Creates an empty file in a directory and opens it in the editor. */
  async newFile(directory: string): Promise<void> {
    const keyFor = (name: string): string => newKey(this.#files(), directory, name.normalize('NFC'));
    let key = '';
    const name = await this.#askName({
      title: $localize`New file`,
      label: $localize`Name`,
      hint: (written) => this.#sameNameHint(directory, written) ?? $localize`A slash creates a folder: notes/plan.md`,
      action: $localize`Create file`,
      initial: 'untitled.md',
      fault: (written) => typedPathError(directory, written) ?? this.#nameTakenError(keyFor(written)),
      run: async (written) => {
        // The key depends on the other files. Without them, the server still rejects a name in use.
        await this.#index.whenLoaded().catch(() => SortedFiles.empty);
        key = keyFor(written);
        await this.#deletions.flush([key]);
        this.#index.add(await this.#client.put(key, '', { ifAbsent: true }));
      },
    });
    if (name !== undefined) await this.#router.navigate([...editLink(key)]);
  }

  /** @returns the new key of a renamed file; undefined for a directory, or when nothing was renamed. */
  async rename(row: BrowserRow): Promise<string | undefined> {
    const path = pathOf(row);
    const entries = await this.#entriesOf([row]);
    if (!entries) return undefined;
    const stepsFor = (name: string): readonly MoveStep[] =>
      planMove(entries, path, joinPath(parentOf(path), name.normalize('NFC')));
    let remainingSteps: readonly MoveStep[] = [];
    let newKey: string | undefined;
    const renamed = await this.#askName({
      title: $localize`Rename ${row.name}:name:`,
      label: $localize`New name`,
      hint: (name) =>
        (name === row.name ? undefined : this.#sameNameHint(parentOf(path), name)) ??
        (row.entry ? '' : fileCountLabel(entries.length)),
      action: $localize`Rename`,
      initial: row.name,
      fault: (name) => this.#renameError(row.name, name, stepsFor),
      run: async (name) => {
        const steps = stepsFor(name);
        const words = {
          title: $localize`Renaming ${row.name}:name:`,
          done: $localize`Renamed ${row.name}:old: to ${name}:new:`,
        };
        const [step] = steps;
        if (row.entry && step) {
          await this.#moves.moveOne(step, words).catch(explainConflict);
          newKey = step.to;
        } else remainingSteps = steps;
      },
    });
    if (renamed === undefined || remainingSteps.length === 0) return newKey;
    const done = $localize`Renamed ${row.name}:old: to ${renamed}:new:`;
    await this.#moves.moveAll(remainingSteps, { title: $localize`Renaming ${row.name}:name:`, done });
    return undefined;
  }

  /** @returns the new key when a single file was moved. */
  async move(rows: readonly BrowserRow[]): Promise<string | undefined> {
    const [row] = rows;
    if (!row || !(await this.#entriesOf(rows))) return undefined;
    const files = await this.#index.whenLoaded().catch(() => SortedFiles.empty);
    const question: MoveDialogData = {
      title:
        rows.length === 1
          ? $localize`Move ${row.name}:name:`
          : $localize`Move ${formatNumber(rows.length)}:count: entries`,
      directories: directoriesIn(files),
      fault: (directory) => moveError(rows, directory),
    };
    const target = await this.#dialogs.ask<string, MoveDialogData>(MoveDialog, question, 'move-title');
    if (target === undefined) return undefined;
    // Listed again: an upload may have added files while the dialog was open.
    const steps = rows.flatMap((each) => {
      const path = pathOf(each);
      return planMove(filesOf([each], this.#files()), path, joinPath(target, nameOf(path)));
    });
    const targetName = target || $localize`Files`;
    const count = fileCountLabel(steps.length);
    const words = {
      title: $localize`Moving ${count}:count: to ${targetName}:folder:`,
      done: $localize`Moved ${count}:count: to ${targetName}:folder:`,
    };
    const [step] = steps;
    if (steps.length > 1 || !step) {
      await this.#moves.moveAll(steps, words);
      return undefined;
    }
    try {
      await this.#moves.moveOne(step, words).catch(explainConflict);
      return step.to;
    } catch (error) {
      this.#toasts.show($localize`${row.name}:name: was not moved. ${asHttpProblem(error).detail}:reason:`);
      return undefined;
    }
  }

  /**
   * Deletes files and directories, with an undo period. Without a connection, nothing is deleted.
   * @param undone called when the deletion was undone.
   * @returns whether the deletion was started; false when it was not confirmed or there is nothing to delete.
   */
  async delete(rows: readonly BrowserRow[], undone: () => void): Promise<boolean> {
    const [row] = rows;
    const entries = await this.#entriesOf(rows);
    if (!row || !entries || entries.length === 0) return false;
    const count = fileCountLabel(entries.length);
    const subject = rows.length === 1 ? row.name : count;
    if (this.#connection.state() !== 'connected') {
      this.#toasts.show($localize`Not deleted: ${subject}:name:. There is no connection. Try again when it is back.`);
      return false;
    }
    if (entries.length > CONFIRM_ABOVE || rows.some(({ directory }) => directory)) {
      const agreed = await this.#confirmations.ask({
        title: $localize`Delete ${subject}:name:?`,
        text: $localize`This deletes ${count}:count:. You can undo it for a few seconds.`,
        action: $localize`Delete ${count}:count:`,
        run: () => Promise.resolve(),
      });
      if (!agreed) return false;
    }
    this.#deletions.delete(entries, { words: $localize`Deleting ${subject}:name:…`, undone });
    return true;
  }

  /**
   * Downloads one file as it is, and other rows as a zip archive.
   * @param directory of the rows, when they are all of its rows: more rows than an archive may name become its path.
   */
  async download(rows: readonly BrowserRow[], directory?: string): Promise<void> {
    const [row] = rows;
    if (row?.entry && rows.length === 1) return this.#downloadFile(row.entry.key);
    const entries = await this.#entriesOf(rows);
    if (!entries) return;
    const isTooLong = rows.length > MAX_ARCHIVE_PATHS && directory !== undefined;
    const paths = isTooLong ? directoryPaths(directory, this.#files()) : archivePathsOf(rows, this.#files());
    await this.#downloads.start(paths, entries.length);
  }

  /** Downloads all files of a directory as a zip archive. */
  async downloadDirectory(path: string): Promise<void> {
    await this.download([
      { id: directoryId(path), name: nameOf(path) || $localize`Files`, directory: { path, name: '' } },
    ]);
  }

  async #downloadFile(key: string): Promise<void> {
    try {
      const { content } = await this.#cachedFiles.get(key);
      saveFile(content, nameOf(key));
    } catch (error) {
      this.#toasts.show(
        $localize`${nameOf(key)}:name: could not be downloaded. ${asHttpProblem(error).detail}:reason:`,
      );
    }
  }

  /** Keeps a file offline, or stops keeping it offline. */
  async toggleOfflinePin({ entry }: BrowserRow): Promise<void> {
    if (entry) await toggleOfflinePin({ offline: this.#offline, toasts: this.#toasts, key: entry.key });
  }

  copyLink(row: BrowserRow): void {
    const address = row.entry
      ? viewUrl(row.entry.key)
      : this.#router.serializeUrl(this.#router.createUrlTree([...directoryLink(row.directory.path)]));
    const isCopied = this.#clipboard.copy(location.origin + address);
    this.#toasts.show(isCopied ? linkCopiedMessage() : $localize`The link could not be copied.`);
  }

  #askName(question: NameDialogData): Promise<string | undefined> {
    return this.#dialogs.ask<string, NameDialogData>(NameDialog, question, 'name-title');
  }

  #files(): SortedFiles {
    return this.#index.files() ?? SortedFiles.empty;
  }

  /** The files of the rows; shows a message and returns undefined when those of a directory cannot be listed. */
  async #entriesOf(rows: readonly BrowserRow[]): Promise<readonly FileEntry[] | undefined> {
    const directories = rows.filter(({ directory }) => directory);
    const [first] = directories;
    if (!first) return filesOf(rows, SortedFiles.empty);
    // A directory that is not counted is missing in the index, and appears with the running reload.
    const isCurrent = directories.some(({ directory }) => directory?.files === undefined);
    try {
      const files = await this.#index.whenLoaded({ isCurrent });
      const unknown = directories.find((each) => filesOf([each], files).length === 0);
      if (!unknown) return filesOf(rows, files);
      this.#toasts.show($localize`No files were found in ${unknown.name}:name:. Reload the page and try again.`);
    } catch (error) {
      const { detail } = asHttpProblem(error);
      this.#toasts.show($localize`The files in ${first.name}:name: could not be listed. ${detail}:reason:`);
    }
    return undefined;
  }

  #nameTakenError(key: string): string | undefined {
    return this.#index.find(key) ? $localize`A file with this name already exists.` : undefined;
  }

  /** A file and a directory can have the same name, because a directory is only the common prefix of keys. */
  #sameNameHint(directory: string, name: string): string | undefined {
    const path = joinPath(directory, name.normalize('NFC'));
    return name === '' || filesUnder(this.#files(), path).next().done
      ? undefined
      : $localize`A folder with this name exists. A file and a folder can share a name.`;
  }

  #renameError(before: string, name: string, stepsFor: (name: string) => readonly MoveStep[]): string | undefined {
    if (name.normalize('NFC') === before) return '';
    if (name.includes('/')) return $localize`A name cannot contain a slash. Use “Move to…” to change the folder.`;
    const typedError = typedPathError('', name);
    if (typedError) return typedError;
    for (const { to } of stepsFor(name)) {
      const error = pathError(parseTypedPath('', to)) ?? this.#nameTakenError(to);
      if (error) return error;
    }
    return undefined;
  }
}
