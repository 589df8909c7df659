import { closeSync, createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { hasCode } from '../../errors.ts';
import type { ObjectExchange, ResponseHeaders } from '../exchange.ts';
import { checksumHeaders } from '../protocol/checksums.ts';
import { assertReadConditions, rangeApplies, validators } from '../protocol/conditions.ts';
import { header, responseOverrides } from '../protocol/headers.ts';
import { parseRange } from '../protocol/range.ts';
import type { ByteRange } from '../protocol/range.ts';
import { INLINE_LIMIT } from '../storage/body-file.ts';
import type { ObjectVersion } from '../storage/object-version.ts';
import { READ_CHUNK_BYTES, readFully } from '../storage/file-reads.ts';

export function headObject(exchange: ObjectExchange): void {
  const version = exchange.bucket.get(exchange.key);
  const { response } = exchange;
  assertReadConditions(exchange.headers, version);
  const range = requestedRange(exchange, version);
  response.writeHead(range ? 206 : 200, describe(exchange, version, range));
  response.end();
}

export async function getObject(exchange: ObjectExchange): Promise<void> {
  const version = exchange.bucket.get(exchange.key);
  assertReadConditions(exchange.headers, version);
  const range = requestedRange(exchange, version);
  const headers = describe(exchange, version, range);
  const { start, end } = range ?? { start: 0, end: version.size - 1 };
  const fd = exchange.bucket.open(version);
  const status = range ? 206 : 200;
  const span = { fd, start: version.offset + start, end: version.offset + end };
  if (end - start < INLINE_LIMIT) sendAtOnce(exchange, { status, headers, span });
  else await stream(exchange, { status, headers, span });
}

interface Content {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The byte range in the file, both ends inclusive. The file is closed afterwards. */
  readonly span: { readonly fd: number; readonly start: number; readonly end: number };
}

/** Reads synchronously: for small files, the thread pool costs more than the read. */
function sendAtOnce({ response }: ObjectExchange, { status, headers, span }: Content): void {
  let bytes: Buffer;
  try {
    bytes = readFully(span.fd, span.start, span.end - span.start + 1);
  } finally {
    closeSync(span.fd);
  }
  response.writeHead(status, headers);
  response.end(bytes);
}

async function stream({ response }: ObjectExchange, { status, headers, span }: Content): Promise<void> {
  const file = createReadStream('', { ...span, highWaterMark: READ_CHUNK_BYTES });
  response.writeHead(status, headers);
  try {
    await pipeline(file, response);
  } catch (error) {
    // Clients may disconnect during the transfer.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE')) throw error;
  }
}

function requestedRange({ headers }: ObjectExchange, version: ObjectVersion): ByteRange | undefined {
  return rangeApplies(headers, version) ? parseRange(header(headers, 'range'), version.size) : undefined;
}

function describe(
  { headers, target }: ObjectExchange,
  version: ObjectVersion,
  range: ByteRange | undefined,
): ResponseHeaders {
  const described: Record<string, string | number> = {
    'content-type': 'binary/octet-stream',
    ...version.headers,
    ...responseOverrides(target.query),
    ...validators(version),
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start + 1 : version.size,
  };
  if (range) described['content-range'] = `bytes ${range.start}-${range.end}/${version.size}`;
  // The checksum covers the whole object, so it is not sent with a range.
  else if (header(headers, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    Object.assign(described, checksumHeaders(version.checksum));
  }
  return described;
}
