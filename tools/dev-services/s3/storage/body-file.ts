import { closeSync, openSync, writeSync, writev } from 'node:fs';
import { syncFile } from './durable-folder.ts';
import type { Scratch } from './scratch.ts';

/** Bodies up to this size stay in memory and are stored and served with a single call. */
export const INLINE_LIMIT = 64 * 1024;
/** Batch size for large bodies, because every disk call has a cost. */
const BATCH_BYTES = 1024 * 1024;

/**
 * An incoming body: in memory while small, in a scratch file when it grows. Writing a batch overlaps with receiving and
 * hashing the next one.
 */
export class BodyFile {
  private readonly scratch: Scratch;
  private pieces: Buffer[] = [];
  private pending = 0;
  private file: { readonly path: string; readonly fd: number } | undefined;
  private writing: Promise<void> | undefined;

  constructor(scratch: Scratch) {
    this.scratch = scratch;
  }

  /** Appends bytes; returns a promise when the caller must wait for the disk. Throws disk errors. */
  write(piece: Buffer): Promise<void> | undefined {
    this.pieces.push(piece);
    this.pending += piece.length;
    return this.pending >= BATCH_BYTES ? this.spill() : undefined;
  }

  /** Returns the whole body if it is small enough to be stored with its description. */
  inline(): Buffer | undefined {
    if (this.file || this.pending > INLINE_LIMIT) return undefined;
    return this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
  }

  /** Makes the bytes durable and returns the path of the file, which then belongs to the caller. */
  async finish(): Promise<string> {
    await this.spill();
    await this.writing;
    const { path, fd } = this.open();
    await syncFile(fd);
    closeSync(fd);
    this.file = undefined;
    return path;
  }

  /** Discards the body. Idempotent; no effect after `finish`. */
  async discard(): Promise<void> {
    this.pieces = [];
    this.pending = 0;
    await this.writing?.catch(() => undefined);
    if (!this.file) return;
    closeSync(this.file.fd);
    this.scratch.dispose(this.file.path);
    this.file = undefined;
  }

  /** Starts writing the pending batch after the previous one. */
  private async spill(): Promise<void> {
    await this.writing;
    if (this.pending === 0) return;
    const batch = this.pieces;
    this.pieces = [];
    this.pending = 0;
    this.writing = writeAll(this.open().fd, batch);
    // Awaited by the next call; until then a failure must not count as unhandled.
    this.writing.catch(() => undefined);
  }

  private open(): { readonly path: string; readonly fd: number } {
    if (!this.file) {
      const path = this.scratch.newPath();
      this.file = { path, fd: openSync(path, 'wx', 0o600) };
    }
    return this.file;
  }
}

/** Writes a small file. Synchronous, because the thread pool costs more than the calls themselves. */
export async function writeSmallFile(path: string, pieces: readonly Buffer[]): Promise<void> {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) writeFully(fd, piece);
    await syncFile(fd);
  } finally {
    closeSync(fd);
  }
}

function writeFully(fd: number, piece: Buffer): void {
  for (let done = 0; done < piece.length;) done += writeSync(fd, piece, done);
}

/** A nearly full disk may accept a part of the data and report the error only with the next call. */
async function writeAll(fd: number, batch: readonly Buffer[]): Promise<void> {
  let rest = batch;
  while (rest.length > 0) {
    const written = await writeBatch(fd, rest);
    rest = dropBytes(rest, written);
  }
}

function writeBatch(fd: number, pieces: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(fd, pieces, (error, written) => (error ? reject(error) : resolve(written)));
  });
}

function dropBytes(pieces: readonly Buffer[], count: number): Buffer[] {
  let left = count;
  const rest: Buffer[] = [];
  for (const piece of pieces) {
    if (left >= piece.length) left -= piece.length;
    else {
      rest.push(left > 0 ? piece.subarray(left) : piece);
      left = 0;
    }
  }
  return rest;
}
