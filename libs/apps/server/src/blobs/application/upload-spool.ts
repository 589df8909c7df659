import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file in a spool. */
export interface SpooledFile {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

export interface SpoolWriteOptions {
  /** Transforms the bytes before they are written. */
  readonly through?: Transform;
  /** Called with every written chunk; an error that it throws stops the reading. */
  readonly onChunk?: (chunk: Buffer) => void;
  readonly signal?: AbortSignal;
}

/** Each write takes about 0.2 ms of the event loop, however small it is, so chunks are collected. */
const WRITE_BYTES = 512 * 1024;

/** The folder for files of one upload that are too large for memory. `SpoolFolder` creates it. */
export class UploadSpool {
  constructor(readonly folder: string) {}

  async write(source: Readable, { through, onChunk, signal }: SpoolWriteOptions = {}): Promise<SpooledFile> {
    const file = join(this.folder, randomUUID());
    let size = 0;
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    const takePending = (): Buffer => {
      const chunk = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending);
      pending = [];
      pendingBytes = 0;
      return chunk;
    };
    const watch = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        try {
          onChunk?.(chunk);
        } catch (error) {
          return done(error as Error);
        }
        pending.push(chunk);
        pendingBytes += chunk.length;
        if (pendingBytes >= WRITE_BYTES) done(null, takePending());
        else done();
      },
      flush: (done) => (pendingBytes === 0 ? done() : done(null, takePending())),
    });
    const steps = [source, ...(through ? [through] : []), watch, createWriteStream(file)];
    await pipeline(steps, signal === undefined ? {} : { signal });
    return { file, size };
  }

  open({ file }: SpooledFile): Readable {
    return createReadStream(file);
  }

  async remove({ file }: SpooledFile): Promise<void> {
    await rm(file, { force: true });
  }

  /** Removes the folder. Retries, because an aborted write may still be creating its file. */
  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
