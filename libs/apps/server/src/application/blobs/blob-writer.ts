import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { deployContentType, isCompressible } from '../../domain/deploys/deploy-content-type';
import {
  compressBytes,
  COMPRESSIONS,
  type Compression,
  type BufferedBytes,
  isWorthEncoding,
  sizeOf,
} from './blob-compression';
import type { BlobEncodings, NewBlob } from './blob-ledger.port';
import type { BlobStore, Encoding } from './blob-store.port';
import type { UploadSpool } from './upload-spool';

/** What is held in memory; more is put aside. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export interface BlobUpload {
  readonly blob: NewBlob;
  /** Of the file it was found in; says whether a coded copy is worth keeping. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export interface BlobWriterTools {
  readonly blobs: BlobStore;
  readonly spool: UploadSpool;
  readonly signal: AbortSignal;
  /** Waits for a turn to compress. @param isLarge whether that takes seconds. @returns ends the turn. */
  readonly compressing: (isLarge: boolean) => Promise<() => void>;
  /** Called whenever something was coded or stored. */
  readonly onProgress: () => void;
}

/** Stores the bytes of files with the coded copies that browsers prefer. */
export class BlobWriter {
  constructor(private readonly tools: BlobWriterTools) {}

  /** Takes the bytes in; what is returned stores them. */
  async receive({ blob, path, size }: BlobUpload, body: Readable): Promise<() => Promise<BlobEncodings>> {
    const digest = createHash('sha256');
    const onChunk = (chunk: Buffer) => void digest.update(chunk);
    const bytes =
      size <= MAX_BUFFERED_BYTES
        ? await readAll(body, onChunk)
        : await this.tools.spool.write(body, { onChunk, signal: this.tools.signal });
    // Whoever has the same file later gets these bytes: they must be what they are kept as.
    if (digest.digest('hex') !== blob.digest) throw new Error('the archive has changed');
    return () => this.#store(blob, bytes, isCompressible(deployContentType(path)));
  }

  async #store(blob: NewBlob, bytes: BufferedBytes, isCoded: boolean): Promise<BlobEncodings> {
    await this.#put(blob, 'identity', bytes);
    const sizes: Partial<Record<Compression, number>> = {};
    for (const coding of isCoded ? COMPRESSIONS : []) {
      const copy = await this.#coded(bytes, coding);
      if (copy === undefined) continue;
      await this.#put(blob, coding, copy);
      sizes[coding] = sizeOf(copy);
      await this.#drop(copy);
    }
    await this.#drop(bytes);
    return { id: blob.id, brSize: sizes.br, gzipSize: sizes.gzip };
  }

  async #coded(bytes: BufferedBytes, coding: Compression): Promise<BufferedBytes | undefined> {
    if (!isWorthEncoding(sizeOf(bytes))) return undefined;
    const end = await this.tools.compressing(!Buffer.isBuffer(bytes));
    try {
      return await compressBytes(bytes, coding, this.tools);
    } finally {
      end();
    }
  }

  async #put({ key }: NewBlob, encoding: Encoding, bytes: BufferedBytes): Promise<void> {
    const { blobs, spool, signal, onProgress } = this.tools;
    const body = Buffer.isBuffer(bytes) ? bytes : { stream: spool.open(bytes), size: bytes.size };
    await blobs.put(key, encoding, body, signal);
    onProgress();
  }

  async #drop(bytes: BufferedBytes): Promise<void> {
    if (!Buffer.isBuffer(bytes)) await this.tools.spool.remove(bytes);
  }
}

async function readAll(body: Readable, onChunk: (chunk: Buffer) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    onChunk(chunk);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
