import { hash, randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import mime from 'mime';
import type { BlobStore } from '../../application/blobs/blob-store.port';
import type { SiteFile } from '../../application/sites/site-directory.port';
import { blobKey } from '../../domain/blobs/blob-key';

/** A file of a deploy as a test gives it: its bytes, or with the codings that are kept of it. */
export type FileFixture =
  string | Buffer | { readonly body: string | Buffer; readonly codings: readonly ('br' | 'gzip')[] };

const UNHEARD = new AbortController().signal;

/** Makes a file of a deploy, and stores its bytes where there is a store. */
export async function siteFile(
  place: { deployId: string; path: string; organization?: string },
  given: FileFixture,
  blobs?: BlobStore,
): Promise<SiteFile> {
  const { deployId, path, organization = 'northwind' } = place;
  const { body, codings } = typeof given === 'string' || Buffer.isBuffer(given) ? { body: given, codings: [] } : given;
  const bytes = Buffer.from(body);
  const digest = hash('sha256', bytes, 'hex');
  const blob = blobKey(organization, digest, randomUUID());
  const br = codings.includes('br') ? brotliCompressSync(bytes) : undefined;
  const gzip = codings.includes('gzip') ? gzipSync(bytes) : undefined;
  await blobs?.put(blob, 'identity', bytes, UNHEARD);
  if (br) await blobs?.put(blob, 'br', br, UNHEARD);
  if (gzip) await blobs?.put(blob, 'gzip', gzip, UNHEARD);
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
