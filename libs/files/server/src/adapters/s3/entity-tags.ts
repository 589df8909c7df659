import { hash } from 'node:crypto';

const MD5_TAG = /^"?([0-9a-f]{32})"?$/i;

/**
 * The entity tag of an S3 response. Ceph 16 returns an empty one for completed multipart uploads.
 *
 * @returns undefined when the tag is absent or empty.
 */
export function nonEmptyEtag(etag: string | undefined): string | undefined {
  return etag?.replaceAll('"', '') ? etag : undefined;
}

/**
 * The entity tag that S3 gives a multipart object: the MD5 of the parts' MD5s, followed by their number. It depends
 * only on the written bytes, so it cannot identify a version that another writer has stored in the meantime. If an S3
 * endpoint computes tags differently, it matches no version, and a write with `If-Match` is rejected.
 *
 * @param partTags tags of the parts, in order, as storage returned them.
 */
export function multipartEtag(partTags: readonly string[]): string {
  const digests = partTags.map((tag) => {
    const digest = MD5_TAG.exec(tag)?.[1];
    return digest === undefined ? Buffer.from(tag) : Buffer.from(digest, 'hex');
  });
  return `"${hash('md5', Buffer.concat(digests))}-${partTags.length}"`;
}
