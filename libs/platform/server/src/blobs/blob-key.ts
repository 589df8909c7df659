import { hash } from 'node:crypto';

declare const brand: unique symbol;

/** The storage key of a blob. It contains no user input, and `BlobStore` accepts no other keys. */
export type BlobKey = string & { readonly [brand]: 'blob' };

const KEY_PATTERN = /^sites\/[\w-]{43}\/[0-9a-f]{64}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Builds the storage key for a blob of an organization.
 * @param digest SHA-256, lower-case hex.
 * @param id a UUID.
 * @throws {Error} for another format. This is a programming error: requests contain neither value.
 */
export function blobKey(organization: string, digest: string, id: string): BlobKey {
  const key = `sites/${hash('sha256', organization, 'base64url')}/${digest}/${id}`;
  if (!KEY_PATTERN.test(key)) throw new Error('A blob needs a SHA-256 digest and a UUID.');
  return key as BlobKey;
}
