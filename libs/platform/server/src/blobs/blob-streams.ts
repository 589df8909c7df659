import { createHash, type Hash } from 'node:crypto';
import { addAbortSignal, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { BlobCorrupt } from './blobs.errors';
import { type BlobSource, BlobSizeMismatch } from './blob-store.port';

/** Checks the size and digest of a source. The last chunk is held back until the checks pass. */
class VerifyingTransform extends Transform {
  #missing: number;
  #lastChunk: Buffer | undefined;
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
    const ready = this.#lastChunk;
    this.#lastChunk = chunk;
    done(null, ready);
  }

  override _flush(done: TransformCallback): void {
    if (this.#missing > 0) return done(new BlobSizeMismatch(`${this.#missing} bytes are missing.`));
    if (this.#hash && this.#hash.digest('hex') !== this.digest) return done(new BlobCorrupt());
    done(null, this.#lastChunk);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.source.stream.destroy();
    done(error);
  }
}

/**
 * Passes on the bytes of a source and verifies them. When the source or a check fails, the last chunk is withheld, so
 * that an incomplete body is never taken for a complete one. Destroying the stream destroys the source.
 * @param digest the expected SHA-256, lower-case hex; absent when it is unknown.
 */
export function verifiedStream(source: BlobSource, digest?: string): Readable {
  return pipeline(source.stream, new VerifyingTransform(source, digest), () => undefined);
}

/** Destroys a body when the signal is aborted. */
export function abortableStream(signal: AbortSignal, body: Readable): Readable {
  // No reader may be attached yet, and an unhandled error event would end the process.
  return addAbortSignal(
    signal,
    body.on('error', () => undefined),
  );
}
