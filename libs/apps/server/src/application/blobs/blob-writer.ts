import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { deployContentType, isCompressible } from '../../domain/deploys/deploy-content-type';
import { coded, CODINGS, type Coding, type HeldBytes, sizeOf } from './blob-codings';
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

/** Stores the bytes of files with the coded copies that browsers prefer. */
export class BlobWriter {
  constructor(
    private readonly blobs: BlobStore,
    private readonly spool: UploadSpool,
    private readonly signal: AbortSignal,
  ) {}

  /** Takes the bytes in; what is returned stores them. */
  async receive({ blob, path, size }: BlobUpload, body: Readable): Promise<() => Promise<BlobCodings>> {
    const digest = createHash('sha256');
    const onChunk = (chunk: Buffer) => void digest.update(chunk);
    const bytes =
      size <= HELD_BYTES ? await heldOf(body, onChunk) : await this.spool.keep(body, { onChunk, signal: this.signal });
    // Whoever has the same file later gets these bytes: they must be what they are kept as.
    if (digest.digest('hex') !== blob.digest) throw new Error('the archive has changed');
    return () => this.#store(blob, bytes, isCompressible(deployContentType(path)));
  }

  async #store(blob: NewBlob, bytes: HeldBytes, isCoded: boolean): Promise<BlobCodings> {
    await this.#put(blob, 'identity', bytes);
    const sizes: Partial<Record<Coding, number>> = {};
    for (const coding of isCoded ? CODINGS : []) {
      const copy = await coded(bytes, coding, this.spool);
      if (copy === undefined) continue;
      await this.#put(blob, coding, copy);
      sizes[coding] = sizeOf(copy);
      await this.#drop(copy);
    }
    await this.#drop(bytes);
    return { id: blob.id, brSize: sizes.br, gzipSize: sizes.gzip };
  }

  async #put({ key }: NewBlob, encoding: Encoding, bytes: HeldBytes): Promise<void> {
    const body = Buffer.isBuffer(bytes) ? bytes : { stream: this.spool.open(bytes), size: bytes.size };
    await this.blobs.put(key, encoding, body, this.signal);
  }

  async #drop(bytes: HeldBytes): Promise<void> {
    if (!Buffer.isBuffer(bytes)) await this.spool.remove(bytes);
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
