import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ObjectUpload } from '../../application/object-store.port';
import type { WriteCondition } from '../../domain/conditions';
import { inTime, WRITE_LIMIT_MS } from './time-limit';

const PART_BYTES = 8 * 1024 * 1024;

/** What a write is known to have stored. */
export interface Written {
  readonly etag: string | undefined;
  /** Bytes. */
  readonly size: number;
}

export interface UploadTarget {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Writes a body of unknown size: at once when it fits one part, otherwise as a multipart upload, which stays
 * invisible until it is complete and is taken back when anything goes wrong. Holds one part in memory.
 */
export async function uploadOfUnknownSize(
  client: S3Client,
  target: UploadTarget,
  upload: ObjectUpload,
): Promise<Written> {
  const parts = inParts(upload.body);
  const first = await parts.next();
  const second = await parts.next();
  if (second.done) return putWhole(client, target, upload, first.value ?? Buffer.alloc(0));
  const begin = new CreateMultipartUploadCommand({ ...target, ContentType: upload.contentType });
  const { UploadId } = await inTime((abortSignal) => client.send(begin, { abortSignal }), upload.signal);
  let size = (first.value as Buffer).length + second.value.length;
  try {
    const completed = [
      await putPart(client, { ...target, UploadId, PartNumber: 1 }, first.value as Buffer, upload.signal),
      await putPart(client, { ...target, UploadId, PartNumber: 2 }, second.value, upload.signal),
    ];
    for await (const part of parts) {
      const number = completed.length + 1;
      size += part.length;
      completed.push(await putPart(client, { ...target, UploadId, PartNumber: number }, part, upload.signal));
    }
    const end = new CompleteMultipartUploadCommand({
      ...target,
      UploadId,
      MultipartUpload: { Parts: completed },
      ...conditionHeaders(upload.condition),
    });
    const { ETag } = await written((abortSignal) => client.send(end, { abortSignal }), upload.signal);
    return { etag: ETag, size };
  } catch (error) {
    // What the abort leaves behind when it fails too, the bucket's lifecycle rule removes; the first failure matters.
    const undo = new AbortMultipartUploadCommand({ ...target, UploadId });
    await inTime((abortSignal) => client.send(undo, { abortSignal })).catch(() => undefined);
    throw error;
  }
}

async function putWhole(client: S3Client, target: UploadTarget, upload: ObjectUpload, body: Buffer): Promise<Written> {
  const whole = new PutObjectCommand({
    ...target,
    Body: body,
    ContentType: upload.contentType,
    ContentMD5: upload.contentMd5,
    ...conditionHeaders(upload.condition),
  });
  const { ETag } = await written((abortSignal) => client.send(whole, { abortSignal }), upload.signal);
  return { etag: ETag, size: body.length };
}

export function conditionHeaders(condition: WriteCondition): { IfMatch?: string; IfNoneMatch?: string } {
  if (condition === undefined) return {};
  return 'etag' in condition ? { IfMatch: condition.etag } : { IfNoneMatch: '*' };
}

type PartTarget = UploadTarget & { UploadId: string | undefined; PartNumber: number };

function written<T>(write: (signal: AbortSignal) => Promise<T>, leaving: AbortSignal): Promise<T> {
  return inTime(write, leaving, WRITE_LIMIT_MS);
}

async function putPart(client: S3Client, part: PartTarget, body: Buffer, signal: AbortSignal): Promise<CompletedPart> {
  const command = new UploadPartCommand({ ...part, Body: body });
  const { ETag } = await written((abortSignal) => client.send(command, { abortSignal }), signal);
  return { PartNumber: part.PartNumber, ETag };
}

async function* inParts(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(chunks);
  return undefined;
}
