import { hash } from 'node:crypto';
import {
  encodedForQuery,
  errorCodeOf,
  isNoSuchKey,
  responseErrorOf,
  type S3FinalResponse,
  S3HttpClient,
  type S3Request,
  type S3Response,
  textOf,
} from '@homeport/platform/server/storage';
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
import { type Capabilities, conditionHeaders, limitationsOf } from './capabilities';
import { nonEmptyEtag } from './entity-tags';
import { storageErrorOf, storageErrors } from './s3-errors';
import { S3SdkCalls } from './s3-sdk-calls';
import type { S3StoreOptions } from './s3-store-options';
import { parseListObjectsResponse } from './list-objects-response';
import { parseObjectMetadata, parseObjectRead, requiredEntityTag, requiredHeader } from './s3-responses';

/** Stores objects on any S3 endpoint. Frequent calls bypass the AWS SDK; rare calls use it. */
export class S3ObjectStore extends ObjectStore {
  readonly #client: S3HttpClient;
  readonly #sdk: S3SdkCalls;

  constructor(options: S3StoreOptions, memory: MemoryBudget) {
    super();
    this.#client = new S3HttpClient(options, storageErrors);
    this.#sdk = new S3SdkCalls({ store: options, memory, head: (key) => this.head(key) });
  }

  async put(key: WorkspaceKey, upload: ObjectUpload): Promise<StoredObject> {
    const { body, contentType, condition, signal } = upload;
    if (!Buffer.isBuffer(body)) return this.#sdk.put(key, { ...upload, body });
    const conditions = condition === undefined ? {} : conditionHeaders(condition, await this.#capabilities());
    const headers = { 'Content-Type': contentType, ...conditions };
    const write: S3Request = { method: 'PUT', key, body, headers, signal };
    const response = await this.#send(write);
    if (response.isRetry && response.statusCode === 412) {
      // The first attempt may have been stored, so the retry failed on its own success.
      const found = await this.head(key);
      if (found?.etag === `"${hash('md5', body)}"`) return found;
    }
    await this.#assertSucceeded(key, response, condition);
    const etag = requiredEntityTag(response);
    if (response.headers['last-modified'] !== undefined)
      return { ...parseObjectMetadata(response, body.length), contentType };
    // The object is stored, even if this HEAD fails.
    const found = await this.head(key).catch(() => undefined);
    // The HEAD describes this version only if no other writer has replaced it since.
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
    const response = await this.#send({ method: 'GET', key, headers, signal });
    if (response.statusCode === 200 || response.statusCode === 206) return parseObjectRead(response, conditions);
    if (response.statusCode === 304) return { notModified: true, etag: await this.#entityTagFor(response, key) };
    if (response.statusCode === 412) throw new PreconditionFailed((await this.head(key))?.etag);
    if (response.statusCode === 416) throw new RangeNotSatisfiable((await this.#existing(key)).size);
    if (!isNoSuchKey(response)) throw storageErrorOf(responseErrorOf(response));
    if (ifMatch !== undefined) throw new PreconditionFailed();
    return undefined;
  }

  async head(key: WorkspaceKey): Promise<StoredObject | undefined> {
    const response = await this.#send({ method: 'HEAD', key });
    if (response.statusCode === 404) return undefined;
    if (response.statusCode !== 200) throw storageErrorOf(responseErrorOf(response));
    return parseObjectMetadata(response, Number(requiredHeader(response, 'content-length')));
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
    const response = await this.#send({ method: 'GET', key: '', query, buffering: 'always' });
    if (response.statusCode !== 200) throw storageErrorOf(responseErrorOf(response));
    return parseListObjectsResponse(textOf(response));
  }

  async delete(key: WorkspaceKey, etag?: string): Promise<void> {
    if (etag !== undefined) return this.#sdk.deleteVersion(key, etag);
    const response = await this.#send({ method: 'DELETE', key });
    if (isNoSuchKey(response)) return;
    await this.#assertSucceeded(key, response, undefined);
  }

  ready(signal: AbortSignal): Promise<void> {
    return this.#sdk.ready(signal);
  }

  async checkCompatibility(): Promise<readonly string[]> {
    return limitationsOf(await this.#sdk.checkedCapabilities());
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

  /** Throws unless the response to a write or deletion reports success. */
  async #assertSucceeded(key: WorkspaceKey, response: S3Response, condition: WriteCondition): Promise<void> {
    if (response.statusCode < 300) return;
    const isConflict = response.statusCode === 412 || errorCodeOf(response) === 'ConditionalRequestConflict';
    if (isConflict || (isNoSuchKey(response) && condition !== undefined))
      throw new PreconditionFailed((await this.head(key))?.etag);
    throw storageErrorOf(responseErrorOf(response));
  }

  async #send(request: S3Request): Promise<S3FinalResponse> {
    const response = await this.#client.send(request);
    assertKeyLengthAccepted(response, request);
    return response;
  }

  /** HTTP requires an entity tag on a 304 response, but some S3 endpoints omit it. */
  async #entityTagFor(response: S3Response, key: WorkspaceKey): Promise<string> {
    return nonEmptyEtag(response.headers.etag) ?? (await this.#existing(key)).etag;
  }

  async #existing(key: WorkspaceKey): Promise<StoredObject> {
    const found = await this.head(key);
    if (!found) throw new StorageFailed();
    return found;
  }
}

/** The maximum key length that S3 guarantees, in bytes, including the prefix of the workspace. */
const S3_KEY_BYTES = 1_024;

/**
 * The contract allows longer paths than S3 guarantees, so storage decides whether to accept them.
 * @throws {FilePathRejected} when storage rejects the key for its length.
 */
function assertKeyLengthAccepted(response: S3Response, { key }: S3Request): void {
  if (response.statusCode === 400 && Buffer.byteLength(key) > S3_KEY_BYTES) {
    throw new FilePathRejected(TOO_LONG_FOR_STORAGE);
  }
}
