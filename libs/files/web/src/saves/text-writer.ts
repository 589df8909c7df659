import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { FileIndex } from '../client/file-index';
import { FilesClient, type WriteCondition } from '../client/files-client';
import { encodeStoredText, type StoredText } from '../editor/text-encoding';
import { OfflineFiles } from '../offline/offline-files';

export interface WriteTextOptions {
  readonly condition: WriteCondition;
  /** The stored type of the file; a new file has none. */
  readonly contentType: string | undefined;
}

/** Writes the text of a file to the server, and updates the index and the offline cache. */
@Service()
export class TextWriter {
  readonly #client = inject(FilesClient);
  readonly #index = inject(FileIndex);
  readonly #offline = inject(OfflineFiles);

  /** @throws {HttpProblem} the text was not stored; with 412, the condition does not hold. */
  async write(
    key: string,
    text: Pick<StoredText, 'exact' | 'encoding' | 'marked'>,
    { condition, contentType }: WriteTextOptions,
  ): Promise<FileEntry> {
    const content = new Blob([encodeStoredText(text)]);
    const entry = await this.#client.put(key, content, { ...condition, ...(contentType && { contentType }) });
    this.#index.add(entry);
    void this.#offline.replace(entry, content, contentType ?? entry.content_type ?? '');
    return entry;
  }
}
