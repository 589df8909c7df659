import { hash } from 'node:crypto';

const MD5_TAG = /^"?([0-9a-f]{32})"?$/i;

/**
 * The entity tag in an answer of S3. Ceph 16 completes multipart uploads with an empty one.
 *
 * @returns undefined when the tag is absent or empty.
 */
export function nonEmptyEtag(etag: string | undefined): string | undefined {
  return etag?.replaceAll('"', '') ? etag : undefined;
}

/**
 * The entity tag that S3 gives an object made of parts: the MD5 of the parts' MD5s, and their number. It depends on the
 * written bytes alone, so it cannot name a version that another writer has stored in the meantime. On a storage that
 * makes its tags differently it matches no version, and a write under `If-Match` is rejected.
 *
 * @param partTags tags of the parts, in order, as storage answered them.
 */
export function multipartEtag(partTags: readonly string[]): string {
  const digests = partTags.map((tag) => {
    const digest = MD5_TAG.exec(tag)?.[1];
    return digest === undefined ? Buffer.from(tag) : Buffer.from(digest, 'hex');
  });
  return `"${hash('md5', Buffer.concat(digests))}-${partTags.length}"`;
}
