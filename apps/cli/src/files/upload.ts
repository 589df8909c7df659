import { openAsBlob } from 'node:fs';
import { type FileEntry, type Homeport, uploadFile, type UploadOptions } from '@homeport/api-client';
import { contentDigestOf } from './digests';

/** Uploads a file; the API compares the digest before it stores the bytes. */
export async function upload(
  homeport: Homeport,
  location: string,
  path: string,
  options: UploadOptions,
): Promise<FileEntry> {
  const [contentDigest, body] = [await contentDigestOf(location), await openAsBlob(location)];
  return uploadFile(homeport, path, body, { ...options, contentDigest });
}
