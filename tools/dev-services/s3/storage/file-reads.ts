import { closeSync, constants, copyFileSync, createReadStream, linkSync, openSync, readSync } from 'node:fs';
import { hasCode } from '../../errors.ts';
import { syncFile } from './durable-folder.ts';

/** Larger than the default, because every disk call has a cost. */
export const READ_CHUNK_BYTES = 256 * 1024;

/** Reads exactly `length` bytes. Throws when the file ends before. */
export function readFully(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  for (let done = 0; done < length;) {
    const count = readSync(fd, buffer, done, length - done, position + done);
    if (count === 0) throw new Error('The file is shorter than its record states');
    done += count;
  }
  return buffer;
}

/** Reads a file of known size in chunks. Throws when it ends before. */
export async function* readPieces(path: string, size: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const piece of createReadStream(path, { highWaterMark: READ_CHUNK_BYTES })) {
    seen += (piece as Buffer).length;
    yield piece as Buffer;
  }
  if (seen !== size) throw new Error(`${path} does not have the length its record states`);
}

/** Hard-links a file, or copies it durably on file systems without hard links. */
export async function shareFile(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'ENOSYS')) throw error;
    // Synchronous like the link: the original may be removed in the next tick.
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const fd = openSync(to, 'r+');
    await syncFile(fd).finally(() => closeSync(fd));
  }
}
