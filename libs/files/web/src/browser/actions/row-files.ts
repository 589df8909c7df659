import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { asHttpProblem, Toasts } from '@homeport/platform/web';
import { FileIndex } from '../../client/file-index';
import { EmptyFolders } from '../../folders/empty-folders';
import { SortedFiles } from '../../tree/sorted-files';
import { type BrowserRow, filesOf } from '../grid/rows';

/** Lists the files that rows stand for: a folder stands for all files in it. */
@Service()
export class RowFiles {
  readonly #index = inject(FileIndex);
  readonly #emptyFolders = inject(EmptyFolders);
  readonly #toasts = inject(Toasts);

  /** @returns the files; undefined, after a message, when those of a folder cannot be listed. */
  async of(rows: readonly BrowserRow[]): Promise<readonly FileEntry[] | undefined> {
    const directories = rows.filter(({ directory }) => directory);
    const [first] = directories;
    if (!first) return filesOf(rows, SortedFiles.empty);
    // A directory that is not counted is missing in the index, and appears with the running reload.
    const isCurrent = directories.some(({ directory }) => directory?.files === undefined);
    try {
      const files = await this.#index.whenLoaded({ isCurrent });
      const unknown = directories.find((row) => filesOf([row], files).length === 0 && !this.#isEmpty(row));
      if (!unknown) return filesOf(rows, files);
      this.#toasts.show($localize`No files were found in ${unknown.name}:name:. Reload the page and try again.`);
    } catch (error) {
      const { detail } = asHttpProblem(error);
      this.#toasts.show($localize`The files in ${first.name}:name: could not be listed. ${detail}:reason:`);
    }
    return undefined;
  }

  #isEmpty({ directory }: BrowserRow): boolean {
    return directory !== undefined && (directory.path === '' || this.#emptyFolders.has(directory.path));
  }
}
