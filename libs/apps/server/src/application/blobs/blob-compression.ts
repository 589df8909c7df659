import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { SpooledFile, UploadSpool } from './upload-spool';
import type { Encoding } from './blob-store.port';

/** Below, the headers of an answer weigh more than what is saved. */
const MIN_COMPRESSED_FILE_BYTES = 1_024;
/** Of what a browser application is made of, 9 saves 0.7 % more and takes four times as long, 10 7.5 % and sixteen times. */
const BROTLI_QUALITY = 7;
const GZIP_LEVEL = 9;
/** Files that are too large for memory: half the time, and 6 % more bytes of JavaScript. */
const LARGE_BROTLI_QUALITY = 5;
const LARGE_GZIP_LEVEL = 6;

export type Compression = Exclude<Encoding, 'identity'>;
export const COMPRESSIONS: readonly Compression[] = ['br', 'gzip'];

const brotliOptions = (size: number, quality: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: size },
});

const compressors: Record<Compression, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions(bytes.length, BROTLI_QUALITY)),
  gzip: (bytes) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
};

const compressionStreams: Record<Compression, (size: number) => Transform> = {
  br: (size) => createBrotliCompress(brotliOptions(size, LARGE_BROTLI_QUALITY)),
  gzip: () => createGzip({ level: LARGE_GZIP_LEVEL }),
};

/** Whether a coded copy may be worth keeping. @param size in bytes. */
export function isWorthEncoding(size: number): boolean {
  return size >= MIN_COMPRESSED_FILE_BYTES;
}

/** Bytes in memory, or put aside. */
export type BufferedBytes = Buffer | SpooledFile;

export function sizeOf(bytes: BufferedBytes): number {
  return Buffer.isBuffer(bytes) ? bytes.length : bytes.size;
}

export interface EncodingTools {
  readonly spool: UploadSpool;
  readonly signal: AbortSignal;
  /** Called whenever some of it was coded. */
  readonly onProgress: () => void;
}

/** The bytes in a coding; undefined when that would not make them smaller. */
export async function compressBytes(
  bytes: BufferedBytes,
  coding: Compression,
  { spool, signal, onProgress }: EncodingTools,
): Promise<BufferedBytes | undefined> {
  const size = sizeOf(bytes);
  if (!isWorthEncoding(size)) return undefined;
  const result = Buffer.isBuffer(bytes)
    ? await compressors[coding](bytes)
    : await spool.write(spool.open(bytes), { through: compressionStreams[coding](size), onChunk: onProgress, signal });
  if (sizeOf(result) < size) return result;
  if (!Buffer.isBuffer(result)) await spool.remove(result);
  return undefined;
}
