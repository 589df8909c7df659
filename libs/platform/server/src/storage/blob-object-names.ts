import { type BlobKey, parseBlobKey } from '../blobs/blob-key';
import { type Encoding, ENCODINGS } from '../blobs/blob-store.port';

/** What follows the key of a blob in the name of the object with an encoding. */
export const SUFFIXES: Readonly<Record<Encoding, string>> = { identity: '', br: '.br', gzip: '.gz' };

/** @returns undefined for an object that is not a blob. */
export function parseBlobObjectName(name: string): { readonly key: BlobKey; readonly encoding: Encoding } | undefined {
  for (const encoding of ENCODINGS) {
    const suffix = SUFFIXES[encoding];
    const key = name.endsWith(suffix) ? parseBlobKey(name.slice(0, name.length - suffix.length)) : undefined;
    if (key) return { key, encoding };
  }
  return undefined;
}
