import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { deployContentType, isCompressible } from '../../domain/deploys/deploy-content-type';
import { coded, CODINGS, type Coding, type HeldBytes, isWorthEncoding, sizeOf } from './blob-codings';
import type { BlobCodings, NewBlob } from './blob-ledger.port';
import type { BlobStore, Encoding } from './blob-store.port';
import type { UploadSpool } from './upload-spool';

/** What is held in memory; more is put aside. */
const HELD_BYTES = 1024 * 1024;

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
  async receive({ blob, path, size }: BlobUpload, body: Readable): Promise<() => Promise<BlobCodings>> {
    const digest = createHash('sha256');
    const onChunk = (chunk: Buffer) => void digest.update(chunk);
    const bytes =
      size <= HELD_BYTES
        ? await heldOf(body, onChunk)
        : await this.tools.spool.keep(body, { onChunk, signal: this.tools.signal });
    // Whoever has the same file later gets these bytes: they must be what they are kept as.
    if (digest.digest('hex') !== blob.digest) throw new Error('the archive has changed');
    return () => this.#store(blob, bytes, isCompressible(deployContentType(path)));
  }

  async #store(blob: NewBlob, bytes: HeldBytes, isCoded: boolean): Promise<BlobCodings> {
    await this.#put(blob, 'identity', bytes);
    const sizes: Partial<Record<Coding, number>> = {};
    for (const coding of isCoded ? CODINGS : []) {
      const copy = await this.#coded(bytes, coding);
      if (copy === undefined) continue;
      await this.#put(blob, coding, copy);
      sizes[coding] = sizeOf(copy);
      await this.#drop(copy);
    }
    await this.#drop(bytes);
    return { id: blob.id, brSize: sizes.br, gzipSize: sizes.gzip };
  }

  async #coded(bytes: HeldBytes, coding: Coding): Promise<HeldBytes | undefined> {
    if (!isWorthEncoding(sizeOf(bytes))) return undefined;
    const end = await this.tools.compressing(!Buffer.isBuffer(bytes));
    try {
      return await coded(bytes, coding, this.tools);
    } finally {
      end();
    }
  }

  async #put({ key }: NewBlob, encoding: Encoding, bytes: HeldBytes): Promise<void> {
    const { blobs, spool, signal, onProgress } = this.tools;
    const body = Buffer.isBuffer(bytes) ? bytes : { stream: spool.open(bytes), size: bytes.size };
    await blobs.put(key, encoding, body, signal);
    onProgress();
  }

  async #drop(bytes: HeldBytes): Promise<void> {
    if (!Buffer.isBuffer(bytes)) await this.tools.spool.remove(bytes);
  }
}

async function heldOf(body: Readable, onChunk: (chunk: Buffer) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    onChunk(chunk);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
