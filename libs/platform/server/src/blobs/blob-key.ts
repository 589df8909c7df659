import { hash } from 'node:crypto';

declare const brand: unique symbol;

/** The storage key of a blob. It contains no user input, and `BlobStore` accepts no other keys. */
export type BlobKey = string & { readonly [brand]: 'blob' };

const KEY_PATTERN = /^sites\/[\w-]{43}\/[0-9a-f]{64}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The folder with the blobs of all organizations. */
export const BLOB_ROOT = 'sites/';

/** The folder with the blobs of an organization. */
export function blobFolder(organization: string): string {
  return `${BLOB_ROOT}${hash('sha256', organization, 'base64url')}/`;
}

/** @returns undefined for a text that is not the key of a blob. */
export function parseBlobKey(text: string): BlobKey | undefined {
  return KEY_PATTERN.test(text) ? (text as BlobKey) : undefined;
}

/**
 * Builds the storage key for a blob of an organization.
 * @param digest SHA-256, lower-case hex.
 * @param id a UUID.
 * @throws {Error} for another format. This is a programming error: requests contain neither value.
 */
export function blobKey(organization: string, digest: string, id: string): BlobKey {
  const key = `${blobFolder(organization)}${digest}/${id}`;
  if (!KEY_PATTERN.test(key)) throw new Error('A blob needs a SHA-256 digest and a UUID.');
  return key as BlobKey;
}
