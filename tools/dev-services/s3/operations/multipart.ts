import { sendEmpty, sendXml } from '../exchange.ts';
import type { BucketExchange, ObjectExchange } from '../exchange.ts';
import { checksumElement, checksumValueHeader, parseAlgorithm } from '../protocol/checksums.ts';
import type { ChecksumAlgorithm, ChecksumType } from '../protocol/checksums.ts';
import { S3Error } from '../protocol/errors.ts';
import { header, headersToStore } from '../protocol/headers.ts';
import type { RequestHeaders } from '../protocol/headers.ts';
import { leaf, node, optionalLeaf, xmlDocument } from '../protocol/xml.ts';
import type { MultipartUpload, Part } from '../storage/multipart-upload.ts';
import { keyEncoding } from './list-objects.ts';
import { receiveInto } from './receive.ts';

const MAX_PARTS = 10_000;
const PAGE = 1000;

export async function createUpload(exchange: ObjectExchange): Promise<void> {
  const { bucket, key } = exchange;
  const { algorithm, checksumType } = requestedChecksum(exchange.headers);
  const headers = headersToStore(exchange.headers);
  const upload = await bucket.uploads.create({ key, headers, initiated: Date.now(), algorithm, checksumType });
  const ids = [leaf('Bucket', bucket.name), leaf('Key', key), leaf('UploadId', upload.id)];
  const answer: Record<string, string> = {};
  if (algorithm) answer['x-amz-checksum-algorithm'] = algorithm.toUpperCase();
  if (checksumType) answer['x-amz-checksum-type'] = checksumType;
  sendXml(exchange, xmlDocument('InitiateMultipartUploadResult', ...ids), answer);
}

function requestedChecksum(headers: RequestHeaders): { algorithm?: ChecksumAlgorithm; checksumType?: ChecksumType } {
  const name = header(headers, 'x-amz-checksum-algorithm');
  if (name === undefined) return {};
  const algorithm = parseAlgorithm(name);
  const type = header(headers, 'x-amz-checksum-type') ?? (algorithm === 'crc64nvme' ? 'FULL_OBJECT' : 'COMPOSITE');
  const possible =
    type === 'COMPOSITE' ? algorithm !== 'crc64nvme' : type === 'FULL_OBJECT' && algorithm.startsWith('crc');
  if (!possible) throw new S3Error('InvalidRequest', `The checksum type ${type} does not go with ${name}`);
  return { algorithm, checksumType: type as ChecksumType };
}

export async function uploadPart(exchange: ObjectExchange): Promise<void> {
  const { target, bucket } = exchange;
  const number = target.query.integer('partNumber', { min: 1, max: MAX_PARTS });
  if (number === undefined) throw new S3Error('InvalidArgument', 'partNumber is missing');
  const upload = findUpload(exchange);
  upload.assertOpen();
  const body = bucket.newBody();
  const { size, md5, checksum } = await receiveInto(body, exchange, upload.description.algorithm);
  try {
    await upload.addPart({ number, size, etag: md5, checksum }, body);
  } finally {
    await body.discard();
  }
  sendEmpty(exchange, 200, { etag: `"${md5}"`, ...checksumValueHeader(checksum) });
}

export async function abortUpload(exchange: ObjectExchange): Promise<void> {
  await exchange.bucket.uploads.abort(findUpload(exchange));
  sendEmpty(exchange, 204);
}

export function listParts(exchange: ObjectExchange): void {
  const { query } = exchange.target;
  const upload = findUpload(exchange);
  const limit = Math.min(query.integer('max-parts', { min: 0, max: 2 ** 31 - 1 }) ?? PAGE, PAGE);
  const marker = query.integer('part-number-marker', { min: 0, max: 2 ** 31 - 1 }) ?? 0;
  const rest = upload.listParts().filter(({ number }) => number > marker);
  const page = rest.slice(0, limit);
  const xml = xmlDocument(
    'ListPartsResult',
    leaf('Bucket', exchange.bucket.name),
    leaf('Key', keyEncoding(query)(exchange.key)),
    leaf('UploadId', upload.id),
    leaf('PartNumberMarker', marker),
    optionalLeaf('NextPartNumberMarker', page.at(-1)?.number),
    leaf('MaxParts', limit),
    leaf('IsTruncated', page.length > 0 && page.length < rest.length),
    optionalLeaf('ChecksumAlgorithm', upload.description.algorithm?.toUpperCase()),
    ...page.map(renderPart),
  );
  sendXml(exchange, xml);
}

function renderPart({ number, modified, etag, size, checksum }: Part): string {
  return node(
    'Part',
    leaf('PartNumber', number),
    leaf('LastModified', new Date(modified).toISOString()),
    leaf('ETag', `"${etag}"`),
    leaf('Size', size),
    checksum ? leaf(checksumElement(checksum.algorithm), checksum.value) : '',
  );
}

/** ListMultipartUploads, ordered by key, then by age. */
export function listUploads(exchange: BucketExchange): void {
  const { query } = exchange.target;
  if (query.get('delimiter')) throw new S3Error('NotImplemented', 'Uploads cannot be grouped by a delimiter');
  const encode = keyEncoding(query);
  const limit = Math.min(query.integer('max-uploads', { min: 0, max: 2 ** 31 - 1 }) ?? PAGE, PAGE);
  const rest = uploadsAfter(exchange);
  const page = rest.slice(0, limit);
  const truncated = page.length > 0 && page.length < rest.length;
  const last = truncated ? page.at(-1) : undefined;
  const xml = xmlDocument(
    'ListMultipartUploadsResult',
    leaf('Bucket', exchange.bucket.name),
    leaf('Prefix', encode(query.get('prefix') ?? '')),
    leaf('KeyMarker', encode(query.get('key-marker') ?? '')),
    leaf('UploadIdMarker', query.get('upload-id-marker') ?? ''),
    optionalLeaf('NextKeyMarker', last && encode(last.description.key)),
    optionalLeaf('NextUploadIdMarker', last?.id),
    leaf('MaxUploads', limit),
    leaf('IsTruncated', truncated),
    ...page.map((upload) => renderUpload(upload, encode)),
  );
  sendXml(exchange, xml);
}

function uploadsAfter({ bucket, target: { query } }: BucketExchange): MultipartUpload[] {
  const prefix = query.get('prefix') ?? '';
  const keyMarker = query.get('key-marker') ?? '';
  const idMarker = query.get('upload-id-marker');
  const sorted = bucket.uploads
    .all()
    .filter(({ description }) => description.key.startsWith(prefix) && compareKeys(description.key, keyMarker) >= 0)
    .sort((a, b) => compareKeys(a.description.key, b.description.key) || compareAge(a, b));
  if (keyMarker === '') return sorted;
  // For the marked key, only uploads after the marked one remain; without an upload marker, none.
  const marked = sorted.findIndex(({ id, description }) => description.key === keyMarker && id === idMarker);
  return sorted.filter(({ description }, i) => description.key !== keyMarker || (marked >= 0 && i > marked));
}

function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareAge(a: MultipartUpload, b: MultipartUpload): number {
  return a.description.initiated - b.description.initiated || (a.id < b.id ? -1 : 1);
}

function renderUpload({ id, description }: MultipartUpload, encode: (text: string) => string): string {
  return node(
    'Upload',
    leaf('Key', encode(description.key)),
    leaf('UploadId', id),
    leaf('StorageClass', 'STANDARD'),
    leaf('Initiated', new Date(description.initiated).toISOString()),
  );
}

export function findUpload({ target, bucket, key }: ObjectExchange): MultipartUpload {
  return bucket.uploads.get(target.query.get('uploadId') ?? '', key);
}
