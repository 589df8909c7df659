import { closeSync, openSync, writeSync, writev } from 'node:fs';
import { syncFile } from './durable-folder.ts';
import type { Scratch } from './scratch.ts';

/** Up to this size a body stays in memory and is stored and served with a single call. */
export const INLINE_LIMIT = 64 * 1024;
/** Large bodies go to disk in batches of this size, because every call to the disk has a price. */
const BATCH_BYTES = 1024 * 1024;

/**
 * A body on its way in: kept in memory while small, spilled to a scratch file when it grows. Writing to disk overlaps
 * with receiving and hashing the next batch.
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

  /** Takes the next bytes; answers a promise when the caller has to wait for the disk. Throws what the disk throws. */
  write(piece: Buffer): Promise<void> | undefined {
    this.pieces.push(piece);
    this.pending += piece.length;
    return this.pending >= BATCH_BYTES ? this.spill() : undefined;
  }

  /** The whole body when it is small enough to be stored with its description. */
  inline(): Buffer | undefined {
    if (this.file || this.pending > INLINE_LIMIT) return undefined;
    return this.pieces.length === 1 ? this.pieces[0] : Buffer.concat(this.pieces);
  }

  /** Makes the bytes durable and answers the path of the file, which is then the caller's. */
  async finish(): Promise<string> {
    await this.spill();
    await this.writing;
    const { path, fd } = this.open();
    await syncFile(fd);
    closeSync(fd);
    this.file = undefined;
    return path;
  }

  /** Forgets the body. Safe to repeat, and after `finish` without effect. */
  async discard(): Promise<void> {
    this.pieces = [];
    this.pending = 0;
    await this.writing?.catch(() => undefined);
    if (!this.file) return;
    closeSync(this.file.fd);
    this.scratch.dispose(this.file.path);
    this.file = undefined;
  }

  /** Starts writing what is pending, after the batch before it. */
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

/** A small file in one go. Synchronous because each hand-over to the thread pool costs more than the calls themselves. */
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

/** A disk that is filling up may take a part and report the fault only with the next call. */
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
