import { withEmptyFolders, withAncestors } from '../folders/folder-paths';
import { displayPath, nameOf, parentOf } from '../tree/display-path';
import type { Directory, FileRow } from '../tree/file-tree';
import { contentOf } from './latest-files';
import { type QueuedSave, queuedEtag } from './queued-save';

/**
 * The directory with rows for new files that wait on this device to be sent, and for the folders that only they are in.
 */
export function withQueuedFiles(directory: Directory, saves: readonly QueuedSave[]): Directory {
  const added = saves.filter(({ base }) => base === undefined);
  if (added.length === 0) return directory;
  const listed = new Set(directory.files.map(({ entry }) => entry.key));
  const rows = added.filter(({ key }) => parentOf(displayPath(key)) === directory.path && !listed.has(key)).map(rowOf);
  const withRows = rows.length === 0 ? directory : { ...directory, files: [...directory.files, ...rows] };
  return withEmptyFolders(withRows, withAncestors(added.map(({ key }) => parentOf(displayPath(key)))));
}

function rowOf(save: QueuedSave): FileRow {
  const entry = {
    key: save.key,
    size: contentOf(save).size,
    etag: queuedEtag(save),
    modified_at: new Date(save.queuedAt).toISOString(),
  };
  return { name: nameOf(displayPath(save.key)), entry };
}
