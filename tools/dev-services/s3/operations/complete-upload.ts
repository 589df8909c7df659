import { createHash } from 'node:crypto';
import { sendXml } from '../exchange.ts';
import type { ObjectExchange } from '../exchange.ts';
import { checksumElement, compositeChecksum, createChecksummer, statedChecksum } from '../protocol/checksums.ts';
import type { Checksum } from '../protocol/checksums.ts';
import { writePrecondition } from '../protocol/conditions.ts';
import { S3Error } from '../protocol/errors.ts';
import { leaf, xmlDocument } from '../protocol/xml.ts';
import type { Bucket, Draft } from '../storage/bucket.ts';
import type { MultipartUpload, Part } from '../storage/multipart-upload.ts';
import type { ObjectVersion } from '../storage/object-version.ts';
import { findUpload } from './multipart.ts';
import { selectPartsToJoin, parseCompletedParts } from './completed-parts.ts';
import type { CompletedPart } from './completed-parts.ts';
import { receiveXml } from './receive.ts';

/**
 * CompleteMultipartUpload. Copies the parts into one file, so that the object is stored and read like any other. The
 * upload stays usable until the object exists, and a completion can be repeated after a lost response.
 */
export async function completeUpload(exchange: ObjectExchange): Promise<void> {
  const choices = parseCompletedParts(await receiveXml(exchange));
  // Joining large parts takes longer than the idle timeout.
  exchange.request.setTimeout(0);
  const { bucket, key, target } = exchange;
  const present = bucket.find(key);
  if (present?.uploadId !== undefined && present.uploadId === target.query.get('uploadId')) {
    sendXml(exchange, result(exchange, present));
    return;
  }
  const upload = findUpload(exchange);
  const version = await upload.exclusively(() => join(exchange, upload, choices));
  await bucket.uploads.remove(upload);
  sendXml(exchange, result(exchange, version));
}

async function join(
  exchange: ObjectExchange,
  upload: MultipartUpload,
  choices: readonly CompletedPart[],
): Promise<ObjectVersion> {
  const { bucket, key, headers } = exchange;
  const parts = selectPartsToJoin(choices, (number) => upload.findPart(number));
  const guard = writePrecondition(headers);
  guard(bucket.find(key));
  const body = bucket.newBody();
  try {
    const checksum = await copyParts(upload, parts, body);
    const stated = statedChecksum(headers, { composite: true });
    if (stated && (stated.algorithm !== checksum?.algorithm || stated.value !== checksum.value))
      throw new S3Error('BadDigest');
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const draft: Draft = {
      key,
      size,
      etag: etagOf(parts),
      headers: upload.description.headers,
      checksum,
      uploadId: upload.id,
    };
    return await bucket.store(draft, body, guard);
  } finally {
    await body.discard();
  }
}

async function copyParts(
  upload: MultipartUpload,
  parts: readonly Part[],
  body: ReturnType<Bucket['newBody']>,
): Promise<Checksum | undefined> {
  const { algorithm, checksumType } = upload.description;
  const checksummer = algorithm && checksumType === 'FULL_OBJECT' ? createChecksummer(algorithm) : undefined;
  for await (const piece of upload.read(parts)) {
    checksummer?.update(piece);
    await body.write(piece);
  }
  if (!algorithm) return undefined;
  if (checksummer) return { algorithm, value: checksummer.digest().toString('base64'), type: 'FULL_OBJECT' };
  const sums = parts.map(({ checksum }) => (checksum?.algorithm === algorithm ? checksum.value : undefined));
  return sums.every((sum) => sum !== undefined) ? compositeChecksum(algorithm, sums) : undefined;
}

/** By S3 convention, the MD5 of the parts' MD5 digests, followed by the number of parts. */
function etagOf(parts: readonly Part[]): string {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(Buffer.from(etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

function result({ bucket, key, request }: ObjectExchange, { etag, checksum }: ObjectVersion): string {
  return xmlDocument(
    'CompleteMultipartUploadResult',
    leaf('Location', `http://${request.headers.host ?? ''}/${bucket.name}/${encodeURIComponent(key)}`),
    leaf('Bucket', bucket.name),
    leaf('Key', key),
    leaf('ETag', `"${etag}"`),
    checksum ? leaf(checksumElement(checksum.algorithm), checksum.value) + leaf('ChecksumType', checksum.type) : '',
  );
}
