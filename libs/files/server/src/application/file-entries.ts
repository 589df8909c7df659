import type { FileEntry } from '@homeport/files/contracts';
import type { StoredObject } from './object-store.port';

/** @param path the person sees. */
export function entryOf(path: string, object: StoredObject): FileEntry {
  return {
    key: path,
    size: object.size,
    etag: object.etag,
    modified_at: wholeSeconds(object.modifiedAt),
    ...(object.contentType === undefined ? {} : { content_type: object.contentType }),
  };
}

/** RFC 3339, as exact as `Last-Modified` is, so that one version of a file has one time wherever it is read. */
function wholeSeconds(date: Date): string {
  return `${date.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}.000Z`;
}
