import type { S3Response } from '@homeport/platform/server/storage';
import type { ObjectRead, ReadConditions, StoredObject } from '../../application/object-store.port';
import { nonEmptyEtag } from './entity-tags';
import { invalidResponse } from './s3-errors';

/** Parses the metadata of an object from response headers. @param size of the whole object, in bytes. */
export function parseObjectMetadata(response: S3Response, size: number): StoredObject {
  const { 'content-type': contentType } = response.headers;
  const modifiedAt = new Date(requiredHeader(response, 'last-modified'));
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt.getTime()))
    throw invalidResponse('the size or the modification time is invalid');
  return {
    size,
    etag: requiredEntityTag(response),
    modifiedAt,
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

/**
 * Parses a read of an object or of the requested range.
 *
 * @param conditions of the request. A response that contradicts them is rejected, because its bytes belong to another
 * version or range than the reader expects.
 * @throws {StorageFailed}
 */
export function parseObjectRead(response: S3Response, { ifMatch, range }: ReadConditions): ObjectRead {
  const { body } = response;
  try {
    const length = Number(requiredHeader(response, 'content-length'));
    const contentRange = response.statusCode === 206 ? requiredHeader(response, 'content-range') : undefined;
    const size = contentRange === undefined ? length : parseTotalSize(contentRange, length);
    const metadata = parseObjectMetadata(response, size);
    if (contentRange !== undefined && range === undefined)
      throw invalidResponse('the response has a range, but the whole object was requested');
    if (ifMatch !== undefined && ifMatch !== metadata.etag)
      throw invalidResponse('the response has another version than requested');
    return contentRange === undefined ? { ...metadata, length, body } : { ...metadata, length, body, contentRange };
  } catch (error) {
    if (!Buffer.isBuffer(body)) body.destroy();
    throw error;
  }
}

const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** The size of the whole object, in bytes. @throws {StorageFailed} when the range and the length differ. */
function parseTotalSize(contentRange: string, length: number): number {
  const [, first, last, size] = CONTENT_RANGE.exec(contentRange) ?? [];
  const isConsistent = Number(last) - Number(first) + 1 === length && Number(last) < Number(size);
  if (!isConsistent) throw invalidResponse(`the range ${contentRange} has ${length} bytes`);
  return Number(size);
}

/** A header that the response must have. @throws {StorageFailed} when it is absent. */
export function requiredHeader({ headers }: S3Response, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw invalidResponse(`the response lacks ${name}`);
  return value;
}

/** The entity tag of a response. @throws {StorageFailed} when it is absent or empty. */
export function requiredEntityTag(response: S3Response): string {
  const etag = nonEmptyEtag(requiredHeader(response, 'etag'));
  if (etag === undefined) throw invalidResponse('the response has an empty entity tag');
  return etag;
}
