import type { FileEntry } from '@homeport/files/contracts';
import type { StoredObject } from './object-store.port';

/** @param path relative to the workspace. */
export function entryOf(path: string, object: StoredObject): FileEntry {
  return {
    key: path,
    size: object.size,
    etag: object.etag,
    modified_at: wholeSeconds(object.modifiedAt),
    ...(object.contentType === undefined ? {} : { content_type: object.contentType }),
  };
}

/** RFC 3339 in whole seconds, like `Last-Modified`, so a version has the same time in every response. */
function wholeSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}.000Z`;
}
