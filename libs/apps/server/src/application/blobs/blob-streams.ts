import { createHash, type Hash } from 'node:crypto';
import { addAbortSignal, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { BlobCorrupt } from '../../domain/blobs/blobs.errors';
import { type BlobSource, BlobSizeMismatch } from './blob-store.port';

/** Passes on what a source announced. The last chunk waits until it is known to be the last. */
class ExactSizeTransform extends Transform {
  #missing: number;
  #held: Buffer | undefined;
  readonly #hash: Hash | undefined;

  constructor(
    private readonly source: BlobSource,
    private readonly digest: string | undefined,
  ) {
    super();
    this.#hash = digest === undefined ? undefined : createHash('sha256');
    this.#missing = source.size;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#missing -= chunk.length;
    if (this.#missing < 0) return done(new BlobSizeMismatch('There are more bytes than announced.'));
    this.#hash?.update(chunk);
    const ready = this.#held;
    this.#held = chunk;
    done(null, ready);
  }

  override _flush(done: TransformCallback): void {
    if (this.#missing > 0) return done(new BlobSizeMismatch(`${this.#missing} bytes are missing.`));
    if (this.#hash && this.#hash.digest('hex') !== this.digest) return done(new BlobCorrupt());
    done(null, this.#held);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.source.stream.destroy();
    done(error);
  }
}

/**
 * The bytes of a source. Where it fails or has not as many as announced, the last of them never come, so that nobody
 * takes them for the whole. Destroyed together with the source.
 * @param digest SHA-256 that the bytes must have, lower-case hex; absent when it is not known.
 */
export function verifiedStream(source: BlobSource, digest?: string): Readable {
  return pipeline(source.stream, new ExactSizeTransform(source, digest), () => undefined);
}

/** A body that ends for whoever leaves. */
export function abortableStream(signal: AbortSignal, body: Readable): Readable {
  // Its reader may not have come yet, and an unheard error would end the process.
  return addAbortSignal(
    signal,
    body.on('error', () => undefined),
  );
}
