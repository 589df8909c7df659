import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  compressBytes,
  COMPRESSIONS,
  type Compression,
  type BufferedBytes,
  isCompressible,
  isWorthEncoding,
  sizeOf,
} from './blob-compression';
import type { BlobDescriptor, BlobEncodings, NewBlob } from './blob-ledger.port';
import { DigestMismatch } from '../domain/blobs.errors';
import type { BlobStore, Encoding } from '@homeport/platform/server/blobs';
import type { UploadSpool } from './upload-spool';

/** Larger files are spooled to the disk. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export interface BlobUpload extends BlobDescriptor {
  /** The media type of a file with these bytes; decides whether they are compressed. */
  readonly contentType: string;
}

export interface BlobWriterDependencies {
  readonly blobs: BlobStore;
  readonly spool: UploadSpool;
  readonly signal: AbortSignal;
  /**
   * Acquires a compression slot.
   * @param isLarge whether compressing takes seconds.
   * @returns a function that releases the slot.
   */
  readonly compressing: (isLarge: boolean) => Promise<() => void>;
  /** Called whenever bytes were compressed or stored. */
  readonly onProgress: () => void;
}

/** Stores files together with the compressed variants that browsers prefer. */
export class BlobWriter {
  constructor(private readonly dependencies: BlobWriterDependencies) {}

  /** Reads the bytes. @returns a function that stores them. @throws {DigestMismatch} */
  async receive(
    { digest, contentType, size }: BlobUpload,
    body: Readable,
  ): Promise<(blob: NewBlob) => Promise<BlobEncodings>> {
    const hash = createHash('sha256');
    const onChunk = (chunk: Buffer) => void hash.update(chunk);
    const bytes =
      size <= MAX_BUFFERED_BYTES
        ? await readAll(body, onChunk)
        : await this.dependencies.spool.write(body, { onChunk, signal: this.dependencies.signal });
    // Later deploys with the same file reuse these bytes, so they must match their digest and their size.
    if (hash.digest('hex') !== digest || sizeOf(bytes) !== size) throw new DigestMismatch();
    return (blob) => this.#store(blob, bytes, isCompressible(contentType));
  }

  async #store(blob: NewBlob, bytes: BufferedBytes, isCompressed: boolean): Promise<BlobEncodings> {
    await this.#put(blob, 'identity', bytes);
    const sizes: Partial<Record<Compression, number>> = {};
    for (const coding of isCompressed ? COMPRESSIONS : []) {
      const compressed = await this.#compress(bytes, coding);
      if (compressed === undefined) continue;
      await this.#put(blob, coding, compressed);
      sizes[coding] = sizeOf(compressed);
      await this.#removeSpooled(compressed);
    }
    await this.#removeSpooled(bytes);
    return { id: blob.id, brSize: sizes.br, gzipSize: sizes.gzip };
  }

  async #compress(bytes: BufferedBytes, coding: Compression): Promise<BufferedBytes | undefined> {
    if (!isWorthEncoding(sizeOf(bytes))) return undefined;
    const release = await this.dependencies.compressing(!Buffer.isBuffer(bytes));
    try {
      return await compressBytes(bytes, coding, this.dependencies);
    } finally {
      release();
    }
  }

  async #put({ key }: NewBlob, encoding: Encoding, bytes: BufferedBytes): Promise<void> {
    const { blobs, spool, signal, onProgress } = this.dependencies;
    const body = Buffer.isBuffer(bytes) ? bytes : { stream: spool.open(bytes), size: bytes.size };
    await blobs.put(key, encoding, body, signal);
    onProgress();
  }

  async #removeSpooled(bytes: BufferedBytes): Promise<void> {
    if (!Buffer.isBuffer(bytes)) await this.dependencies.spool.remove(bytes);
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
