import { sendXml } from '../exchange.ts';
import type { BucketExchange } from '../exchange.ts';
import { uriEncode } from '../protocol/canonical-request.ts';
import { S3Error } from '../protocol/errors.ts';
import type { Query } from '../protocol/target.ts';
import { leaf, node, optionalLeaf, xmlDocument } from '../protocol/xml.ts';
import type { Bucket } from '../storage/bucket.ts';
import { afterAllWith, justAfter, rankOf } from '../storage/sorted-keys.ts';
import { listPage } from './list-page.ts';
import type { ListPage, ListRequest } from './list-page.ts';

const MAX_KEYS = 1000;

/** ListObjectsV2 and ListObjects (version 1), which older tools still use. */
export function listObjects(exchange: BucketExchange): void {
  const { query } = exchange.target;
  const isFirstVersion = query.get('list-type') === undefined;
  if (!isFirstVersion && query.get('list-type') !== '2') throw new S3Error('InvalidArgument', 'list-type must be 2');
  const request = parseRequest(query, isFirstVersion ? positionAfterMarker(query) : positionInPages(query));
  const page = listPage(exchange.bucket.index.keys, request);
  const paging = isFirstVersion ? markersOf(query, page) : tokensOf(query, page);
  sendXml(exchange, render(exchange.bucket, query, { request, page, paging }));
}

function parseRequest(query: Query, position: string): ListRequest {
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    position,
    limit: Math.min(query.integer('max-keys', { min: 0, max: 2 ** 31 - 1 }) ?? MAX_KEYS, MAX_KEYS),
  };
}

function positionInPages(query: Query): string {
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  if (token !== undefined) return positionOf(token);
  return startAfter ? justAfter(rankOf(startAfter)) : '';
}

/** Returns the position after the marker; a marker that names a group skips the whole group. */
function positionAfterMarker(query: Query): string {
  const marker = query.get('marker');
  const delimiter = query.get('delimiter');
  if (!marker) return '';
  return delimiter && marker.endsWith(delimiter) ? afterAllWith(rankOf(marker)) : justAfter(rankOf(marker));
}

function tokensOf(query: Query, page: ListPage): string[] {
  const encode = keyEncoding(query);
  const startAfter = query.get('start-after');
  return [
    optionalLeaf('StartAfter', startAfter && encode(startAfter)),
    leaf('KeyCount', page.keys.length + page.groups.length),
    optionalLeaf('ContinuationToken', query.get('continuation-token')),
    optionalLeaf('NextContinuationToken', page.next && tokenOf(page.next)),
  ];
}

function markersOf(query: Query, { keys, groups, next }: ListPage): string[] {
  const encode = keyEncoding(query);
  const last = [keys.at(-1) ?? '', groups.at(-1) ?? ''].toSorted((a, b) => (rankOf(a) < rankOf(b) ? 1 : -1))[0] ?? '';
  return [
    leaf('Marker', encode(query.get('marker') ?? '')),
    optionalLeaf('NextMarker', next === undefined ? undefined : encode(last)),
  ];
}

interface Rendering {
  readonly request: ListRequest;
  readonly page: ListPage;
  /** The position elements of this page and the next one, specific to the version of the call. */
  readonly paging: readonly string[];
}

function render(bucket: Bucket, query: Query, { request, page, paging }: Rendering): string {
  const encode = keyEncoding(query);
  const delimiter = query.get('delimiter');
  return xmlDocument(
    'ListBucketResult',
    leaf('Name', bucket.name),
    leaf('Prefix', encode(request.prefix)),
    optionalLeaf('Delimiter', delimiter && encode(delimiter)),
    optionalLeaf('EncodingType', query.get('encoding-type')),
    leaf('MaxKeys', request.limit),
    leaf('IsTruncated', page.next !== undefined),
    ...paging,
    ...page.keys.map((key) => renderObject(bucket, key, encode)),
    ...page.groups.map((group) => node('CommonPrefixes', leaf('Prefix', encode(group)))),
  );
}

function renderObject(bucket: Bucket, key: string, encode: (text: string) => string): string {
  const { modified, etag, size, checksum } = bucket.get(key);
  return (
    `<Contents>${leaf('Key', encode(key))}<LastModified>${new Date(modified).toISOString()}</LastModified>` +
    `<ETag>&quot;${etag}&quot;</ETag>${optionalLeaf('ChecksumAlgorithm', checksum?.algorithm.toUpperCase())}` +
    `${optionalLeaf('ChecksumType', checksum?.type)}<Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`
  );
}

/** Returns the encoding of keys in responses. Throws InvalidArgument. */
export function keyEncoding(query: Query): (text: string) => string {
  const type = query.get('encoding-type');
  if (type === undefined) return (text) => text;
  if (type !== 'url') throw new S3Error('InvalidArgument', 'encoding-type must be url');
  return (text) => uriEncode(text).replaceAll('%2F', '/');
}

/** A token contains only the position of the next page, so it stays valid after a restart. */
function tokenOf(position: string): string {
  return Buffer.from(position, 'utf16le').toString('base64url');
}

function positionOf(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length === 0 || bytes.length % 2 === 1 || bytes.toString('base64url') !== token) {
    throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  }
  return bytes.toString('utf16le');
}
