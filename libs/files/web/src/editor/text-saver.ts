import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { FileIndex } from '../client/file-index';
import { FilesClient, type WriteCondition } from '../client/files-client';
import { OfflineFiles } from '../offline/offline-files';
import { encodeStoredText, type StoredText } from './text-encoding';

export interface SaveOptions {
  readonly condition: WriteCondition;
  /** The stored type of the file; a new file has none. */
  readonly contentType: string | undefined;
}

/** Saves the text of a file, and updates the index and the offline cache. */
@Service()
export class TextSaver {
  readonly #client = inject(FilesClient);
  readonly #index = inject(FileIndex);
  readonly #offline = inject(OfflineFiles);

  /** @throws {HttpProblem} the text was not saved; with 412, the condition does not hold. */
  async save(key: string, text: StoredText, { condition, contentType }: SaveOptions): Promise<FileEntry> {
    const content = new Blob([encodeStoredText(text)]);
    const entry = await this.#client.put(key, content, { ...condition, ...(contentType && { contentType }) });
    this.#index.add(entry);
    void this.#offline.replace(entry, content, contentType ?? entry.content_type ?? '');
    return entry;
  }
}
