import { sendContinue } from '@homeport/platform/server/node-http';
import { InvalidRequest, NoRoute, rawPathOf, UnsupportedMediaType } from '@homeport/kernel';
import { abortSignalFor } from '@homeport/platform/server/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WriteRequest } from '../../application/file-writer';
import type { ListRequest, ReadRequest } from '../../application/workspace';
import type { RequestConditions } from '../../domain/conditions';
import { parseDigests } from './digest-headers';

const ROUTE = '/api/files/';
const MAX_LIMIT = 1_000;
/** `*`, or a list of quoted tags. Weak tags are accepted, because they never match in a strong comparison. */
const VALIDATORS = /^(\*|(W\/)?"[\x21\x23-\x7e\x80-\xff]*"(\s*,\s*(W\/)?"[\x21\x23-\x7e\x80-\xff]*")*)$/;

/** The percent-encoded path of the file. `workspaceKey` decodes it, exactly once. @throws {NoRoute} */
export function rawFilePath(request: FastifyRequest): string {
  const path = rawPathOf(request.originalUrl);
  // The router decodes before it matches, so other spellings of `/api/files/` also arrive here. They are not routes.
  if (!path.startsWith(ROUTE)) throw new NoRoute();
  return path.slice(ROUTE.length);
}

/** The display name of the file. @param rawPath a path that `workspaceKey` has accepted. */
export function fileNameIn(rawPath: string): string {
  return decodeURIComponent(rawPath.slice(rawPath.lastIndexOf('/') + 1)).normalize('NFC');
}

export type ListByKeyRequest = { readonly sort: 'key' } & ListRequest;
export interface ListNewestRequest {
  readonly sort: '-modified_at';
  readonly prefix: string;
  readonly limit: number;
}

/** @throws {InvalidRequest} */
export function parseListRequest(request: FastifyRequest): ListByKeyRequest | ListNewestRequest {
  const query = request.query as Partial<Record<'prefix' | 'delimiter' | 'limit' | 'cursor' | 'sort', string>>;
  const limit = parseLimit(query.limit);
  const prefix = query.prefix ?? '';
  if (query.delimiter !== undefined && query.delimiter !== '/')
    throw invalidField('delimiter', 'must be "/" or absent');
  if (query.sort === '-modified_at') {
    if (query.delimiter !== undefined) throw invalidField('delimiter', 'cannot be combined with sort=-modified_at');
    if (query.cursor !== undefined) throw invalidField('cursor', 'cannot be combined with sort=-modified_at');
    return { sort: '-modified_at', prefix, limit };
  }
  if (query.sort !== undefined && query.sort !== 'key') throw invalidField('sort', 'must be "key" or "-modified_at"');
  return {
    sort: 'key',
    prefix,
    limit,
    ...(query.delimiter === undefined ? {} : { delimiter: '/' }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
}

/** @throws {InvalidRequest} */
export function parseReadRequest(request: FastifyRequest): ReadRequest {
  const { range, 'if-range': ifRange } = request.headers;
  return {
    ...parseRequestConditions(request),
    // HTTP allows ignoring a range: anything but a single byte range returns the whole file.
    ...(range !== undefined && /^bytes=(\d+-\d*|-\d+)$/.test(range) ? { range } : {}),
    ...(ifRange === undefined ? {} : { ifRange: String(ifRange) }),
  };
}

/** Whether the caller forces a download. @throws {InvalidRequest} */
export function parseDownloadFlag(request: FastifyRequest): boolean {
  const { download } = request.query as { download?: string };
  if (download !== undefined && download !== '1') throw invalidField('download', 'must be 1 or absent');
  return download === '1';
}

/** @throws {InvalidRequest} @throws {UnsupportedMediaType} @throws {DigestMismatch} */
export function parseWriteRequest(request: FastifyRequest, reply: FastifyReply): WriteRequest {
  const { headers } = request;
  const contentType = headers['content-type'];
  if (contentType !== undefined && /^multipart\//i.test(contentType)) {
    throw new UnsupportedMediaType('Send the bytes of the file as the body, not a multipart form.');
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
    throw new UnsupportedMediaType('Send the bytes of the file without a content encoding.');
  }
  // The HTTP parser decodes only `chunked`; any other coding would be stored as part of the file.
  if (!/^(chunked)?$/i.test(headers['transfer-encoding'] ?? '')) {
    throw new UnsupportedMediaType('Send the bytes of the file without a transfer coding other than chunked.');
  }
  const length = headers['content-length'];
  const hasNoBody = length === undefined && headers['transfer-encoding'] === undefined;
  return {
    openBody: () => {
      sendContinue(request.raw);
      // After the body, the request waits for storage, which has separate timeouts.
      return request.raw.once('end', () => request.raw.setTimeout(0));
    },
    ...(length === undefined && !hasNoBody ? {} : { size: Number(length ?? 0) }),
    ...(contentType === undefined ? {} : { contentType }),
    expectsContinue: headers.expect !== undefined,
    digests: parseDigests(headers),
    conditions: parseRequestConditions(request),
    signal: abortSignalFor(reply),
  };
}

/** @throws {InvalidRequest} */
export function parseRequestConditions(request: FastifyRequest): RequestConditions {
  const ifMatch = request.headers['if-match'];
  const ifNoneMatch = request.headers['if-none-match'];
  if (ifMatch !== undefined && !VALIDATORS.test(ifMatch))
    throw invalidField('If-Match', 'is not a list of entity tags');
  if (ifNoneMatch !== undefined && !VALIDATORS.test(ifNoneMatch)) {
    throw invalidField('If-None-Match', 'is not a list of entity tags');
  }
  return { ...(ifMatch === undefined ? {} : { ifMatch }), ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }) };
}

function parseLimit(value: string | undefined): number {
  if (value === undefined) return MAX_LIMIT;
  if (!/^[1-9]\d{0,3}$/.test(value) || Number(value) > MAX_LIMIT)
    throw invalidField('limit', 'must be a number from 1 to 1000');
  return Number(value);
}

function invalidField(field: string, reason: string): InvalidRequest {
  return new InvalidRequest(`"${field}" ${reason}.`, [{ field, reason }]);
}
