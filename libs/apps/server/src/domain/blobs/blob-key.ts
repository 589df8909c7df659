import { hash } from 'node:crypto';

declare const brand: unique symbol;

/** Where the bytes of a blob are. It holds nothing that somebody chose. `BlobStore` takes nothing else. */
export type BlobKey = string & { readonly [brand]: 'blob' };

const KEY_PATTERN = /^sites\/[\w-]{43}\/[0-9a-f]{64}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The key of a blob of an organization.
 * @param digest SHA-256, lower-case hex. @param id a UUID. @throws {Error} where they are not: nobody outside gives them.
 */
export function blobKey(organization: string, digest: string, id: string): BlobKey {
  const key = `sites/${hash('sha256', organization, 'base64url')}/${digest}/${id}`;
  if (!KEY_PATTERN.test(key)) throw new Error('A blob needs a SHA-256 digest and a UUID.');
  return key as BlobKey;
}
