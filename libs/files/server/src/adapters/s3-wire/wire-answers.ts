import type { ObjectRead, StoredObject } from '../../application/object-store.port';
import { StorageFailed } from '../../domain/files.errors';
import { statedTag } from '../s3/entity-tags';
import type { WireAnswer } from './wire-exchange';

/** What the headers of an answer say of an object. @param size of the whole object, in bytes. */
export function factsIn(answer: WireAnswer, size: number): StoredObject {
  const { 'content-type': contentType } = answer.headers;
  const modifiedAt = new Date(header(answer, 'last-modified'));
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt.getTime())) throw new StorageFailed();
  return {
    size,
    etag: entityTagIn(answer),
    modifiedAt,
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

/** An object, or the part of it that was asked for. @throws {StorageFailed} */
export function readIn(answer: WireAnswer): ObjectRead {
  const { body } = answer;
  try {
    const length = Number(header(answer, 'content-length'));
    const contentRange = answer.statusCode === 206 ? header(answer, 'content-range') : undefined;
    const size = contentRange === undefined ? length : Number(contentRange.split('/')[1]);
    const facts = factsIn(answer, size);
    return contentRange === undefined ? { ...facts, length, body } : { ...facts, length, body, contentRange };
  } catch (error) {
    if (!Buffer.isBuffer(body)) body.destroy();
    throw error;
  }
}

/** A header without which an answer makes no sense. @throws {StorageFailed} */
export function header({ headers }: WireAnswer, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw new StorageFailed({ cause: new Error(`the answer lacks ${name}`) });
  return value;
}

/** The entity tag of an answer. @throws {StorageFailed} when it is absent or empty. */
export function entityTagIn(answer: WireAnswer): string {
  const etag = statedTag(header(answer, 'etag'));
  if (etag === undefined) throw new StorageFailed({ cause: new Error('the answer has an empty entity tag') });
  return etag;
}

/** The text of an answer that is held. */
export function textOf({ body }: WireAnswer): string {
  return Buffer.isBuffer(body) ? body.toString() : '';
}

/** The `<Code>` of S3's error document; undefined when there is none. */
export function codeIn(text: string): string | undefined {
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1];
}
