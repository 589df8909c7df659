import { sendXml } from '../exchange.ts';
import type { Exchange, ObjectExchange } from '../exchange.ts';
import { checksumElement } from '../protocol/checksums.ts';
import { assertCopySourceConditions, writePrecondition } from '../protocol/conditions.ts';
import { S3Error } from '../protocol/errors.ts';
import { header, headersToStore } from '../protocol/headers.ts';
import { decode, splitPath } from '../protocol/target.ts';
import { leaf, xmlDocument } from '../protocol/xml.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { ObjectVersion } from '../storage/object-version.ts';

/** CopyObject. Keeps ETag and checksum of the source, because the bytes are the same. */
export async function copyObject(exchange: ObjectExchange): Promise<void> {
  const { bucket, key, headers } = exchange;
  const replaced = replacesMetadata(exchange) ? headersToStore(headers) : undefined;
  const guard = writePrecondition(headers);
  const source = findSource(exchange);
  assertCopySourceConditions(headers, source.version);
  if (source.bucket === bucket && source.version.key === key && !replaced) {
    throw new S3Error('InvalidRequest', 'Copying an object to itself needs x-amz-metadata-directive: REPLACE');
  }
  guard(bucket.find(key));
  const { size, etag, checksum } = source.version;
  const draft = { key, size, etag, checksum, headers: replaced ?? source.version.headers };
  const version = await bucket.storeCopy(draft, source, guard);
  sendXml(exchange, copyResult(version));
}

function findSource({ storage, headers }: Exchange): { bucket: Bucket; version: ObjectVersion } {
  const path = header(headers, 'x-amz-copy-source') ?? '';
  const queryStart = path.indexOf('?');
  if (queryStart >= 0) throw new S3Error('NotImplemented', 'There are no versions here');
  const { bucket: name, key } = splitPath(decode(path).replace(/^\//, ''));
  if (!name || !key) throw new S3Error('InvalidArgument', 'x-amz-copy-source must be bucket/key');
  const bucket = storage.get(name);
  return { bucket, version: bucket.get(key) };
}

function replacesMetadata({ headers }: Exchange): boolean {
  const directive = header(headers, 'x-amz-metadata-directive') ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE') {
    throw new S3Error('InvalidArgument', 'x-amz-metadata-directive must be COPY or REPLACE');
  }
  return directive === 'REPLACE';
}

function copyResult({ modified, etag, checksum }: ObjectVersion): string {
  return xmlDocument(
    'CopyObjectResult',
    leaf('LastModified', new Date(modified).toISOString()),
    leaf('ETag', `"${etag}"`),
    checksum ? leaf(checksumElement(checksum.algorithm), checksum.value) + leaf('ChecksumType', checksum.type) : '',
  );
}
