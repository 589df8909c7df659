import type { Dispatcher } from 'undici';
import type { ObjectRead, StoredObject } from '../../application/object-store.port';
import { StorageFailed } from '../../domain/files.errors';
import { transportErrorOf } from './wire-errors';

type Answer = Dispatcher.ResponseData;

/** What the headers of an answer say of an object. @param size of the whole object, in bytes. */
export function factsIn(answer: Answer, size: number): StoredObject {
  const { 'content-type': contentType } = answer.headers;
  const modifiedAt = new Date(header(answer, 'last-modified'));
  if (!Number.isSafeInteger(size) || Number.isNaN(modifiedAt.getTime())) throw new StorageFailed();
  return {
    size,
    etag: header(answer, 'etag'),
    modifiedAt,
    ...(typeof contentType === 'string' ? { contentType } : {}),
  };
}

/** So little is held whole: streaming it costs more, and one that breaks off is still a failure with a name. */
const HELD_BYTES = 64 * 1024;

/** An object, or the part of it that was asked for. */
export async function readIn(answer: Answer): Promise<ObjectRead> {
  try {
    // A reader that leaves destroys it, and an error nobody listens to would end the process.
    answer.body.on('error', () => undefined);
    const length = Number(header(answer, 'content-length'));
    const contentRange = answer.statusCode === 206 ? header(answer, 'content-range') : undefined;
    const size = contentRange === undefined ? length : Number(contentRange.split('/')[1]);
    return {
      ...factsIn(answer, size),
      length,
      body: length > HELD_BYTES ? answer.body : await bytesOf(answer),
      ...(contentRange === undefined ? {} : { contentRange }),
    };
  } catch (error) {
    answer.body.destroy();
    throw error;
  }
}

/** A header without which an answer makes no sense. @throws {StorageFailed} */
export function header({ headers }: Answer, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw new StorageFailed({ cause: new Error(`the answer lacks ${name}`) });
  return value;
}

/** The whole of a short answer. @throws {StorageTimeout} @throws {StorageUnavailable} */
export async function textOf({ body }: Answer): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    throw transportErrorOf(error);
  }
}

async function bytesOf({ body }: Answer): Promise<Buffer> {
  try {
    return Buffer.from(await body.arrayBuffer());
  } catch (error) {
    throw transportErrorOf(error);
  }
}

/** The `<Code>` of S3's error document; undefined when there is none. */
export function codeIn(text: string): string | undefined {
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1];
}
