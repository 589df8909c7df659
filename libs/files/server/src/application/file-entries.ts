import type { FileEntry } from '@homeport/files/contracts';
import type { StoredObject } from './object-store.port';

/** @param path the person sees. */
export function entryOf(path: string, object: StoredObject): FileEntry {
  return {
    key: path,
    size: object.size,
    etag: object.etag,
    modified_at: wholeSeconds(object.modifiedAt).toISOString(),
    ...(object.contentType === undefined ? {} : { content_type: object.contentType }),
  };
}

/** As `Last-Modified` tells it, so that one version of a file has one time wherever it is read. */
function wholeSeconds(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1_000) * 1_000);
}
