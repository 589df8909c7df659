import { sendXml } from '../exchange.ts';
import type { BucketExchange } from '../exchange.ts';
import { uriEncode } from '../protocol/canonical-request.ts';
import { S3Error } from '../protocol/errors.ts';
import type { Query } from '../protocol/target.ts';
import { leaf, node, optionalLeaf, xmlDocument } from '../protocol/xml.ts';
import type { Bucket } from '../storage/bucket.ts';
import { justAfter, rankOf } from '../storage/sorted-keys.ts';
import { listPage } from './list-page.ts';
import type { ListPage, ListRequest } from './list-page.ts';

const MAX_KEYS = 1000;

/** ListObjectsV2. The older version of the call is not offered. */
export function listObjects(exchange: BucketExchange): void {
  const { query } = exchange.target;
  if (query.get('list-type') !== '2')
    throw new S3Error('NotImplemented', 'Only ListObjectsV2 (list-type=2) is offered');
  const request = parseRequest(query);
  sendXml(exchange, render(exchange.bucket, query, { request, page: listPage(exchange.bucket.index.keys, request) }));
}

function parseRequest(query: Query): ListRequest {
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    position: token === undefined ? (startAfter ? justAfter(rankOf(startAfter)) : '') : positionOf(token),
    limit: Math.min(query.integer('max-keys', { min: 0, max: 2 ** 31 - 1 }) ?? MAX_KEYS, MAX_KEYS),
  };
}

function render(bucket: Bucket, query: Query, { request, page }: { request: ListRequest; page: ListPage }): string {
  const encode = keyEncoding(query);
  const encoded = (name: string, value: string | undefined): string => optionalLeaf(name, value && encode(value));
  return xmlDocument(
    'ListBucketResult',
    leaf('Name', bucket.name),
    leaf('Prefix', encode(request.prefix)),
    encoded('Delimiter', query.get('delimiter')),
    encoded('StartAfter', query.get('start-after')),
    optionalLeaf('EncodingType', query.get('encoding-type')),
    leaf('MaxKeys', request.limit),
    leaf('KeyCount', page.keys.length + page.groups.length),
    leaf('IsTruncated', page.next !== undefined),
    optionalLeaf('ContinuationToken', query.get('continuation-token')),
    optionalLeaf('NextContinuationToken', page.next && tokenOf(page.next)),
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

/** How keys are written into answers. Throws InvalidArgument. */
export function keyEncoding(query: Query): (text: string) => string {
  const type = query.get('encoding-type');
  if (type === undefined) return (text) => text;
  if (type !== 'url') throw new S3Error('InvalidArgument', 'encoding-type must be url');
  return (text) => uriEncode(text).replaceAll('%2F', '/');
}

/** The place where the next page begins is all a token has to carry, so it survives restarts. */
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
