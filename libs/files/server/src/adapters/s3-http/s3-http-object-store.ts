import { hash } from 'node:crypto';
import { RESPONSE_TIMEOUT_MS } from '@homeport/platform/server';
import {
  type ListOptions,
  type ListPage,
  type NotModified,
  type ObjectRead,
  ObjectStore,
  type ObjectUpload,
  type ReadConditions,
  type StoredObject,
} from '../../application/object-store.port';
import type { MemoryBudget } from '../../application/memory-budget';
import type { WriteCondition } from '../../domain/conditions';
import {
  FilePathRejected,
  PreconditionFailed,
  RangeNotSatisfiable,
  StorageFailed,
  TOO_LONG_FOR_STORAGE,
} from '../../domain/files.errors';
import type { WorkspaceKey, WorkspacePrefix } from '../../domain/workspace-key';
import { type Capabilities, conditionHeaders } from '../s3/capabilities';
import { nonEmptyEtag } from '../s3/entity-tags';
import { storageErrorOf } from '../s3/s3-errors';
import { S3ObjectStore } from '../s3/s3-object-store';
import type { S3StoreOptions } from '../s3/s3-store-options';
import { parseListObjectsResponse } from './list-objects-response';
import {
  errorCodeIn,
  requiredEntityTag,
  parseObjectMetadata,
  requiredHeader,
  parseObjectRead,
  textOf,
} from './s3-responses';
import { encodedForQuery, S3HttpClient, type S3Request } from './s3-http-client';
import type { S3Response } from './send-request';
import { responseErrorOf, isBrokenConnection, transportErrorOf } from './s3-http-errors';

/** Any S3 endpoint: what happens often goes over the wire directly, what happens rarely through the AWS SDK. */
export class S3HttpObjectStore extends ObjectStore {
  readonly #bucket: S3HttpClient;
  readonly #sdk: S3ObjectStore;

  constructor(options: S3StoreOptions, memory: MemoryBudget) {
    super();
    this.#bucket = new S3HttpClient(options);
    this.#sdk = new S3ObjectStore(options, memory);
  }

  async put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject> {
    const { body, contentType, condition, signal } = upload;
    if (!Buffer.isBuffer(body)) return this.#sdk.put(key, upload);
    const conditions = condition === undefined ? {} : conditionHeaders(condition, await this.#capabilities());
    const headers = { 'Content-Type': contentType, ...conditions };
    const write: S3Request = { method: 'PUT', key, body, headers, signal };
    const { answer, isRepeated } = await this.#done(write);
    if (isRepeated && answer.statusCode === 412) {
      // The first try may have come through all the same, and the second failed on its success.
      const found = await this.head(key);
      if (found?.etag === `"${hash('md5', body)}"`) return found;
    }
    await this.#assertSucceeded(key, answer, condition);
    const etag = requiredEntityTag(answer);
    if (answer.headers['last-modified'] !== undefined)
      return { ...parseObjectMetadata(answer, body.length), contentType };
    // It is stored, whatever becomes of this question.
    const found = await this.head(key).catch(() => undefined);
    // What is there now is ours only while nobody has written since.
    return found?.etag === etag ? found : { etag, size: body.length, contentType, modifiedAt: new Date() };
  }

  async get(
    key: WorkspaceKey,
    conditions: ReadConditions,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified | undefined> {
    const { ifMatch, ifNoneMatch, range } = conditions;
    const headers = {
      ...(range === undefined ? {} : { Range: range }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }),
    };
    const answer = await this.#asked({ method: 'GET', key, headers, signal });
    if (answer.statusCode === 200 || answer.statusCode === 206) return parseObjectRead(answer, conditions);
    const code = errorCodeIn(textOf(answer));
    if (answer.statusCode === 304) return { notModified: true, etag: await this.#entityTagFor(answer, key) };
    if (answer.statusCode === 412) throw new PreconditionFailed((await this.head(key))?.etag);
    if (answer.statusCode === 416) throw new RangeNotSatisfiable((await this.#existing(key)).size);
    // Absence is what S3 says in exactly these words; every other failure is a failure.
    if (code !== 'NoSuchKey') throw responseErrorOf(answer.statusCode, code);
    if (ifMatch !== undefined) throw new PreconditionFailed();
    return undefined;
  }

  async head(key: WorkspaceKey): Promise<StoredObject | undefined> {
    const answer = await this.#asked({ method: 'HEAD', key, isBodyBuffered: true });
    if (answer.statusCode === 404) return undefined;
    if (answer.statusCode !== 200) throw responseErrorOf(answer.statusCode, undefined);
    return parseObjectMetadata(answer, Number(requiredHeader(answer, 'content-length')));
  }

  async list(prefix: WorkspacePrefix, { limit, delimiter, cursor }: ListOptions): Promise<ListPage> {
    const parameters: Record<string, string | undefined> = {
      'continuation-token': cursor,
      delimiter,
      'list-type': '2',
      'max-keys': String(limit),
      prefix,
    };
    const query = Object.entries(parameters)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodedForQuery(value)}`]))
      .join('&');
    const answer = await this.#asked({ method: 'GET', key: '', query, isBodyBuffered: true });
    const text = textOf(answer);
    if (answer.statusCode !== 200) throw responseErrorOf(answer.statusCode, errorCodeIn(text));
    return parseListObjectsResponse(text);
  }

  async delete(key: WorkspaceKey, etag?: string): Promise<void> {
    if (etag !== undefined) return this.#sdk.delete(key, etag);
    const answer = await this.#asked({ method: 'DELETE', key });
    if (answer.statusCode === 404 && errorCodeIn(textOf(answer)) === 'NoSuchKey') return;
    await this.#assertSucceeded(key, answer, undefined);
  }

  ready(signal: AbortSignal): Promise<void> {
    return this.#sdk.ready(signal);
  }

  checkCompatibility(): Promise<readonly string[]> {
    return this.#sdk.checkCompatibility();
  }

  abortIncompleteUploads(before: Date): Promise<number> {
    return this.#sdk.abortIncompleteUploads(before);
  }

  async #capabilities(): Promise<Capabilities> {
    try {
      return await this.#sdk.capabilities();
    } catch (error) {
      throw storageErrorOf(error);
    }
  }

  /** Reads the answer to a write to its end, and names what went wrong. */
  async #assertSucceeded(key: WorkspaceKey, answer: S3Response, condition: WriteCondition): Promise<void> {
    const text = textOf(answer);
    const code = errorCodeIn(text);
    if (answer.statusCode < 300) {
      // S3 has nothing to say here; whoever does is somebody else, who has done nothing.
      if (text !== '') throw new StorageFailed({ cause: new Error('the answer to a write has a body') });
      return;
    }
    const isAbsent = answer.statusCode === 404 && code === 'NoSuchKey';
    if (answer.statusCode === 412 || code === 'ConditionalRequestConflict' || (isAbsent && condition !== undefined)) {
      throw new PreconditionFailed((await this.head(key))?.etag);
    }
    throw responseErrorOf(answer.statusCode, code);
  }

  async #asked(question: S3Request): Promise<S3Response> {
    return (await this.#done(question)).answer;
  }

  /** A second try gets what is left of the time. */
  async #done(request: S3Request): Promise<{ readonly answer: S3Response; readonly isRepeated: boolean }> {
    const began = performance.now();
    const answer = await this.#sendOnce(request);
    if (answer) return { answer: assertKeyLengthAccepted(answer, request), isRepeated: false };
    const limitMs = Math.max(1, RESPONSE_TIMEOUT_MS - (performance.now() - began));
    return {
      answer: assertKeyLengthAccepted(await this.#retryOnNewConnection({ ...request, limitMs }), request),
      isRepeated: true,
    };
  }

  /** Undefined when the connection broke before the answer: an idle one may be closed at any time. */
  async #sendOnce(request: S3Request): Promise<S3Response | undefined> {
    try {
      return await this.#bucket.send(request);
    } catch (error) {
      if (isBrokenConnection(error)) return undefined;
      throw transportErrorOf(error);
    }
  }

  async #retryOnNewConnection(request: S3Request): Promise<S3Response> {
    try {
      return await this.#bucket.sendOnNewConnection(request);
    } catch (error) {
      throw transportErrorOf(error);
    }
  }

  /** HTTP wants a tag on this answer, and not every storage knows. */
  async #entityTagFor(answer: S3Response, key: WorkspaceKey): Promise<string> {
    return nonEmptyEtag(answer.headers.etag) ?? (await this.#existing(key)).etag;
  }

  async #existing(key: WorkspaceKey): Promise<StoredObject> {
    const found = await this.head(key);
    if (!found) throw new StorageFailed();
    return found;
  }
}

/** The bytes of a key that S3 promises; the workspace's own prefix is among them. */
const S3_KEY_BYTES = 1_024;

/** Paths are as long as the contract says wherever storage takes them. @throws {FilePathRejected} */
function assertKeyLengthAccepted(answer: S3Response, { key }: S3Request): S3Response {
  if (answer.statusCode === 400 && Buffer.byteLength(key) > S3_KEY_BYTES) {
    throw new FilePathRejected(TOO_LONG_FOR_STORAGE);
  }
  return answer;
}
