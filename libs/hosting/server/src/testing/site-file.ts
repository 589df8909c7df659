import { hash, randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import mime from 'mime';
import { blobKey, type BlobStore } from '@homeport/platform/server/blobs';
import type { SiteFile } from '../routing/application/site-directory.port';

/** The content of a test file: its bytes, optionally with the compressed encodings to store. */
export type FileFixture =
  string | Buffer | { readonly body: string | Buffer; readonly codings: readonly ('br' | 'gzip')[] };

const NEVER_ABORTED = new AbortController().signal;

/** Creates a file of a deploy, and stores its bytes when a blob store is given. */
export async function siteFile(
  location: { deployId: string; path: string; organization?: string },
  given: FileFixture,
  blobs?: BlobStore,
): Promise<SiteFile> {
  const { deployId, path, organization = 'northwind' } = location;
  const { body, codings } = typeof given === 'string' || Buffer.isBuffer(given) ? { body: given, codings: [] } : given;
  const bytes = Buffer.from(body);
  const digest = hash('sha256', bytes, 'hex');
  const blob = blobKey(organization, digest, randomUUID());
  const br = codings.includes('br') ? brotliCompressSync(bytes) : undefined;
  const gzip = codings.includes('gzip') ? gzipSync(bytes) : undefined;
  await blobs?.put(blob, 'identity', bytes, NEVER_ABORTED);
  if (br) await blobs?.put(blob, 'br', br, NEVER_ABORTED);
  if (gzip) await blobs?.put(blob, 'gzip', gzip, NEVER_ABORTED);
  const type = mime.getType(path) ?? 'application/octet-stream';
  return {
    deployId,
    path,
    size: bytes.length,
    contentType: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    digest,
    blob,
    brSize: br?.length,
    gzipSize: gzip?.length,
  };
}
