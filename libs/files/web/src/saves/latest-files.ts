import { encodeStoredText } from '../editor/text-encoding';
import type { FileMetadata, FilesClient, StoredFile } from '../client/files-client';
import { type QueuedSave, queuedEtag } from './queued-save';
import type { SaveQueue } from './save-queue';

/** The operations that read one file. */
export type FileReader = Pick<FilesClient, 'head' | 'get'>;

/** Reads files as the user last saved them: a queued save is returned in place of the stored file. */
export function latestFiles(files: FileReader, saves: Pick<SaveQueue, 'find'>): FileReader {
  return {
    head: async (key, signal): Promise<FileMetadata> => {
      const save = await saves.find(key);
      return save ? metadataOf(save) : files.head(key, signal);
    },
    get: async (key, signal, range, received): Promise<StoredFile> => {
      const save = await saves.find(key);
      if (!save) return files.get(key, signal, range, received);
      const content = contentOf(save);
      return { ...metadataOf(save), content: range ? content.slice(range.first, range.last + 1) : content };
    },
  };
}

/** The bytes that will be sent. */
export function contentOf({ text, encoding, marked, contentType }: QueuedSave): Blob {
  return new Blob([encodeStoredText({ exact: text, encoding, marked })], contentType ? { type: contentType } : {});
}

function metadataOf(save: QueuedSave): FileMetadata {
  const modifiedAt = new Date(save.queuedAt).toUTCString();
  const { size } = contentOf(save);
  return { key: save.key, size, contentType: save.contentType ?? '', etag: queuedEtag(save), modifiedAt };
}
