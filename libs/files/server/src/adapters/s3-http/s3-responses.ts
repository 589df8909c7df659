import type { ObjectRead, ReadConditions, StoredObject } from '../../application/object-store.port';
import { StorageFailed } from '../../domain/files.errors';
import { nonEmptyEtag } from '../s3/entity-tags';
import type { S3Response } from './send-request';

/** What the headers of an answer say of an object. @param size of the whole object, in bytes. */
export function parseObjectMetadata(answer: S3Response, size: number): StoredObject {
  const { 'content-type': contentType } = answer.headers;
  const modifiedAt = new Date(requiredHeader(answer, 'last-modified'));
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt.getTime())) throw new StorageFailed();
  return {
    size,
    etag: requiredEntityTag(answer),
    modifiedAt,
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

/**
 * An object, or the part of it that was asked for.
 *
 * @param conditions of the request. An answer that contradicts them is rejected, because a reader would take its bytes
 * for another version or another range.
 * @throws {StorageFailed}
 */
export function parseObjectRead(answer: S3Response, { ifMatch, range }: ReadConditions): ObjectRead {
  const { body } = answer;
  try {
    const length = Number(requiredHeader(answer, 'content-length'));
    const contentRange = answer.statusCode === 206 ? requiredHeader(answer, 'content-range') : undefined;
    const size = contentRange === undefined ? length : sizeIn(contentRange, length);
    const facts = parseObjectMetadata(answer, size);
    if (contentRange !== undefined && range === undefined)
      throw contradiction('a part was sent, the whole was asked for');
    if (ifMatch !== undefined && ifMatch !== facts.etag) throw contradiction('another version was sent');
    return contentRange === undefined ? { ...facts, length, body } : { ...facts, length, body, contentRange };
  } catch (error) {
    if (!Buffer.isBuffer(body)) body.destroy();
    throw error;
  }
}

const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** The size of the whole object, in bytes. @throws {StorageFailed} when the range does not have that length. */
function sizeIn(contentRange: string, length: number): number {
  const [, first, last, size] = CONTENT_RANGE.exec(contentRange) ?? [];
  const isSound = Number(last) - Number(first) + 1 === length && Number(last) < Number(size);
  if (!isSound) throw contradiction(`the range ${contentRange} has ${length} bytes`);
  return Number(size);
}

function contradiction(reason: string): StorageFailed {
  return new StorageFailed({ cause: new Error(reason) });
}

/** A header without which an answer makes no sense. @throws {StorageFailed} */
export function requiredHeader({ headers }: S3Response, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw new StorageFailed({ cause: new Error(`the answer lacks ${name}`) });
  return value;
}

/** The entity tag of an answer. @throws {StorageFailed} when it is absent or empty. */
export function requiredEntityTag(answer: S3Response): string {
  const etag = nonEmptyEtag(requiredHeader(answer, 'etag'));
  if (etag === undefined) throw new StorageFailed({ cause: new Error('the answer has an empty entity tag') });
  return etag;
}

/** The text of an answer that is held. */
export function textOf({ body }: S3Response): string {
  return Buffer.isBuffer(body) ? body.toString() : '';
}

/** The `<Code>` of S3's error document; undefined when there is none. */
export function errorCodeIn(text: string): string | undefined {
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1];
}
