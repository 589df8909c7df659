import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { encodeFilePath, type FileEntry, type FileListing } from '@homeport/files/contracts';
import { sendNotModified, sendWithETag } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WrittenFile } from '../../application/file-writer';
import type { NotModified, ObjectRead, StoredObject } from '../../application/object-store.port';
import { contentDisposition } from '../../domain/content-type';

/** Keeps a malicious file from running as a page of this origin. Set on every response with file bytes. */
export const UNTRUSTED_FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache',
  vary: 'Authorization',
} as const;

export interface FileResponseOptions {
  readonly name: string;
  readonly forceDownload: boolean;
}

/**
 * Sends a file or its metadata: 200, 206 or 304. Closes the connection when the source fails, so that a partial file
 * never looks complete.
 */
export async function sendFile(
  reply: FastifyReply,
  found: ObjectRead | StoredObject | NotModified,
  { name, forceDownload }: FileResponseOptions,
): Promise<void> {
  void reply.headers(UNTRUSTED_FILE_HEADERS);
  if ('notModified' in found) {
    await sendNotModified(reply.header('etag', found.etag));
    return;
  }
  const contentType = found.contentType ?? 'application/octet-stream';
  const read = 'body' in found ? found : undefined;
  void reply
    .status(read?.contentRange === undefined ? 200 : 206)
    .headers({
      etag: found.etag,
      'last-modified': found.modifiedAt.toUTCString(),
      'accept-ranges': 'bytes',
      'content-length': read?.length ?? found.size,
      'content-disposition': contentDisposition(name, contentType, forceDownload),
      ...(read?.contentRange === undefined ? {} : { 'content-range': read.contentRange }),
    })
    .type(contentType);
  // For HEAD, Fastify overwrites `content-length` unless the payload is a stream.
  await reply.send(read?.body ?? Readable.from([], { objectMode: false }));
}

export async function sendWritten(reply: FastifyReply, { entry, created }: WrittenFile): Promise<FileEntry> {
  void reply
    .status(created ? 201 : 200)
    .headers({ etag: entry.etag, location: `/api/files/${encodeFilePath(entry.key)}`, 'cache-control': 'no-store' });
  return Promise.resolve(entry);
}

/** Sends a listing with an ETag of its content, or 304 when the caller already has it. */
export async function sendListing(request: FastifyRequest, reply: FastifyReply, listing: FileListing): Promise<void> {
  const body = JSON.stringify(listing);
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  // File names must not be cached on disk; a caller that keeps a listing in memory can send its tag.
  void reply.header('cache-control', 'private, no-store');
  await sendWithETag(request, reply, { body, etag });
}
