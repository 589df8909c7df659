import { inject, Service } from '@angular/core';
import { MAX_ARCHIVE_FILES, MAX_ARCHIVE_PATHS } from '@homeport/files/contracts';
import { asHttpProblem, formatNumber, Toasts } from '@homeport/platform/web';
import { FilesClient } from '../../client/files-client';
import { saveUrl } from '@homeport/platform/web/on-demand';

/** Downloads zip archives, which the browser writes to disk while the server creates them. */
@Service()
export class ArchiveDownloads {
  readonly #client = inject(FilesClient);
  readonly #toasts = inject(Toasts);

  /**
   * Starts a download; shows a message when it cannot be started.
   * @param paths keys of files and key prefixes of directories.
   * @param count the number of files.
   */
  async start(paths: readonly string[], count: number): Promise<void> {
    const tooMany = tooManyMessage(paths.length, count);
    if (tooMany !== undefined) {
      this.#toasts.show(tooMany);
      return;
    }
    try {
      const { url } = await this.#client.archiveLink(paths);
      saveUrl(url);
    } catch (error) {
      this.#toasts.show($localize`The download could not be started. ${asHttpProblem(error).detail}:reason:`);
    }
  }
}

function tooManyMessage(paths: number, files: number): string | undefined {
  if (files > MAX_ARCHIVE_FILES) {
    return $localize`These are ${formatNumber(files)}:count: files. Up to ${formatNumber(MAX_ARCHIVE_FILES)}:most: can be downloaded at once. Download the folders in them one by one.`;
  }
  if (paths <= MAX_ARCHIVE_PATHS) return undefined;
  return $localize`You selected ${formatNumber(paths)}:count: items. Up to ${formatNumber(MAX_ARCHIVE_PATHS)}:most: can be downloaded at once. Select fewer, or download the whole folder.`;
}
