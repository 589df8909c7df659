import { Clipboard } from '@angular/cdk/clipboard';
import { inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import { MAX_ARCHIVE_PATHS } from '@homeport/files/contracts';
import { asHttpProblem, Confirmations, Connection, formatNumber, Toasts } from '@homeport/platform/web';
import { FileIndex } from '../../client/file-index';
import { FilesClient } from '../../client/files-client';
import { EmptyFolders } from '../../folders/empty-folders';
import { toggleOfflinePin } from '../../offline/offline-pin-button';
import { CachedFilesClient } from '../../offline/cached-files-client';
import { OfflineFiles } from '../../offline/offline-files';
import { directoryLink, editLink, viewUrl } from '../../tree/file-links';
import { joinPath, nameOf, parentOf } from '../../tree/display-path';
import { filesUnder } from '../../tree/directory-summary';
import { newKey } from '../../tree/file-tree';
import { isWithin, type MoveStep, planMove, parseTypedPath } from '../../tree/rename-plan';
import { typedPathError } from '../../tree/path-error-messages';
import { SortedFiles } from '../../tree/sorted-files';
import { saveFile } from '@homeport/platform/web/on-demand';
import { Dialogs } from '../dialogs/dialogs';
import { NameDialog, type NameDialogData } from '../dialogs/name-dialog';
import { type BrowserRow, directoryId } from '../grid/rows';
import { explainConflict, fileCountLabel, linkCopiedMessage, pathError, pathOf } from './action-messages';
import { ArchiveDownloads } from './archive-downloads';
import { archivePathsOf, directoryPaths } from './archive-paths';
import { Deletions } from './deletions';
import { Moves } from './moves';
import { RowFiles } from './row-files';
import { RowMoves } from './row-moves';

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
  readonly #emptyFolders = inject(EmptyFolders);
  readonly #moves = inject(Moves);
  readonly #offline = inject(OfflineFiles);
  readonly #router = inject(Router);
  readonly #rowFiles = inject(RowFiles);
  readonly #rowMoves = inject(RowMoves);
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

  /**
   * Creates an empty folder in a directory.
   * @returns the display path of the folder that is now in the directory; undefined when none was created.
   */
  async newFolder(directory: string): Promise<string | undefined> {
    const pathOfName = (name: string): string => joinPath(directory, name.normalize('NFC'));
    const name = await this.#askName({
      title: $localize`New folder`,
      label: $localize`Name`,
      hint: (written) =>
        written !== '' && this.#index.find(newKey(this.#files(), directory, written.normalize('NFC')))
          ? $localize`A file with this name exists. A file and a folder can share a name.`
          : $localize`The folder stays on this device until it has a file.`,
      action: $localize`Create folder`,
      initial: '',
      fault: (written) => typedPathError(directory, written) ?? this.#newFolderError(pathOfName(written)),
      run: (written) => {
        this.#emptyFolders.add(pathOfName(written));
        return Promise.resolve();
      },
    });
    return name === undefined ? undefined : joinPath(directory, name.normalize('NFC').split('/')[0] ?? '');
  }

  /** @returns the new key of a renamed file; undefined for a directory, or when nothing was renamed. */
  async rename(row: BrowserRow): Promise<string | undefined> {
    const path = pathOf(row);
    const entries = await this.#rowFiles.of([row]);
    if (!entries) return undefined;
    const pathFor = (name: string): string => joinPath(parentOf(path), name.normalize('NFC'));
    const stepsFor = (name: string): readonly MoveStep[] => planMove(entries, path, pathFor(name));
    let remainingSteps: readonly MoveStep[] = [];
    let newKey: string | undefined;
    const renamed = await this.#askName({
      title: $localize`Rename ${row.name}:name:`,
      label: $localize`New name`,
      hint: (name) =>
        (name === row.name ? undefined : this.#sameNameHint(parentOf(path), name)) ??
        (row.entry || entries.length === 0 ? '' : fileCountLabel(entries.length)),
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
    if (renamed !== undefined && row.directory) this.#emptyFolders.move(path, pathFor(renamed));
    if (renamed === undefined || remainingSteps.length === 0) return newKey;
    const done = $localize`Renamed ${row.name}:old: to ${renamed}:new:`;
    await this.#moves.moveAll(remainingSteps, { title: $localize`Renaming ${row.name}:name:`, done });
    return undefined;
  }

  /** @returns the new key when a single file was moved. */
  move(rows: readonly BrowserRow[]): Promise<string | undefined> {
    return this.#rowMoves.move(rows);
  }

  /**
   * Deletes files and directories, with an undo period. Without a connection, nothing is deleted.
   * @param undone called when the deletion was undone.
   * @returns whether the deletion was started; false when it was not confirmed or there is nothing to delete.
   */
  async delete(rows: readonly BrowserRow[], undone: () => void): Promise<boolean> {
    const [row] = rows;
    const entries = await this.#rowFiles.of(rows);
    if (!row || !entries) return false;
    if (entries.length === 0) {
      this.#deleteEmpty(rows, undone);
      return true;
    }
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
    const folders = this.#removeFolders(rows);
    this.#deletions.delete(entries, {
      words: $localize`Deleting ${subject}:name:…`,
      undone: () => {
        this.#emptyFolders.add(...folders);
        undone();
      },
    });
    return true;
  }

  /**
   * Downloads one file as it is, and other rows as a zip archive.
   * @param directory of the rows, when they are all of its rows: more rows than an archive may name become its path.
   */
  async download(rows: readonly BrowserRow[], directory?: string): Promise<void> {
    const [row] = rows;
    if (row?.entry && rows.length === 1) return this.#downloadFile(row.entry.key);
    const entries = await this.#rowFiles.of(rows);
    if (!row || !entries) return;
    if (entries.length === 0) {
      this.#toasts.show($localize`${row.name}:name: is empty. There is nothing to download.`);
      return;
    }
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

  #newFolderError(path: string): string | undefined {
    // Keys with this first segment are shown without it, so a folder of this name would not contain its files.
    if (isWithin(path, 'workspace')) return $localize`The name “workspace” is reserved here. Choose another name.`;
    const isTaken = this.#emptyFolders.has(path) || !filesUnder(this.#files(), path).next().done;
    return isTaken ? $localize`A folder with this name already exists.` : undefined;
  }

  /** Empty folders are only on this device, so nothing is sent. */
  #deleteEmpty(rows: readonly BrowserRow[], undone: () => void): void {
    const folders = this.#removeFolders(rows);
    const [row] = rows;
    const deleted =
      row && rows.length === 1
        ? $localize`Deleted ${row.name}:name:`
        : $localize`Deleted ${formatNumber(rows.length)}:count: folders`;
    const run = (): void => {
      this.#emptyFolders.add(...folders);
      undone();
    };
    this.#toasts.showUndo(deleted, run);
  }

  /** @returns the empty folders that were removed. */
  #removeFolders(rows: readonly BrowserRow[]): readonly string[] {
    return rows.flatMap(({ directory }) => (directory ? this.#emptyFolders.remove(directory.path) : []));
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
