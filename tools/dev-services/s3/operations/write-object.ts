import { sendEmpty } from '../exchange.ts';
import type { BucketExchange, ObjectExchange } from '../exchange.ts';
import { receiveInto, receiveXml } from './receive.ts';
import { sendXml } from '../exchange.ts';
import { checksumHeaders } from '../protocol/checksums.ts';
import { deletePrecondition, validators, writePrecondition } from '../protocol/conditions.ts';
import { S3Error, toS3Error } from '../protocol/errors.ts';
import { header, headersToStore } from '../protocol/headers.ts';
import { assertKeyLength } from '../protocol/target.ts';
import { childrenOf, textOf } from '../protocol/xml-reader.ts';
import type { XmlElement } from '../protocol/xml-reader.ts';
import { leaf, node, xmlDocument } from '../protocol/xml.ts';
import type { Bucket } from '../storage/bucket.ts';

export async function putObject(exchange: ObjectExchange): Promise<void> {
  const { bucket, key } = exchange;
  const headers = headersToStore(exchange.headers);
  const guard = writePrecondition(exchange.headers);
  // Rejects a write that cannot succeed before its body is sent; the check at publication decides.
  guard(bucket.find(key));
  const body = bucket.newBody();
  const { size, md5, checksum } = await receiveInto(body, exchange);
  try {
    const version = await bucket.store({ key, size, etag: md5, headers, checksum }, body, guard);
    // Last-Modified is allowed here by HTTP; AWS omits it, so clients of AWS need an extra request.
    sendEmpty(exchange, 200, { ...validators(version), ...checksumHeaders(checksum) });
  } finally {
    await body.discard();
  }
}

export async function deleteObject(exchange: ObjectExchange): Promise<void> {
  await exchange.bucket.delete(exchange.key, deletePrecondition(header(exchange.headers, 'if-match')));
  sendEmpty(exchange, 204);
}

const MAX_KEYS_TO_DELETE = 1000;

/** DeleteObjects: each key succeeds or fails independently. */
export async function deleteObjects(exchange: BucketExchange): Promise<void> {
  const request = await receiveXml(exchange);
  const objects = childrenOf(request, 'Object');
  if (request.name !== 'Delete' || objects.length === 0 || objects.length > MAX_KEYS_TO_DELETE) {
    throw new S3Error('MalformedXML');
  }
  const quiet = textOf(request, 'Quiet')?.trim() === 'true';
  // Concurrently, so that the deletions share the syncs of the folder.
  const results = await Promise.all(objects.map((object) => deleteOne(exchange.bucket, object, quiet)));
  sendXml(exchange, xmlDocument('DeleteResult', ...results));
}

async function deleteOne(bucket: Bucket, object: XmlElement, quiet: boolean): Promise<string> {
  const key = textOf(object, 'Key');
  if (!key) throw new S3Error('MalformedXML');
  try {
    assertKeyLength(key);
    if (textOf(object, 'VersionId') !== undefined) throw new S3Error('NotImplemented', 'There are no versions here');
    await bucket.delete(key, deletePrecondition(textOf(object, 'ETag')));
    return quiet ? '' : node('Deleted', leaf('Key', key));
  } catch (error) {
    const { code, message } = toS3Error(error);
    return node('Error', leaf('Key', key), leaf('Code', code), leaf('Message', message));
  }
}
