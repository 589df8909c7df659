import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { ArchiveRejected } from '../../domain/deploys/archive.errors';
import type { ArchiveMeter } from '../../domain/deploys/archive-limits';

/** What the directory of a zip file says of an entry. */
export interface ZipRecord {
  readonly name: string;
  /** The name's bytes, one a character. */
  readonly rawName: string;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Of its local header. */
  readonly offset: number;
  /** File type and permissions, when it was made on a system that has them. */
  readonly mode: number;
}

export interface ZipDirectory {
  readonly zip: ZipFile;
  /** In the order of the file, in which they are read. */
  readonly records: readonly ZipRecord[];
  /** Where the directory begins, and what lies before it ends. */
  readonly offset: number;
}

const WINDOW = 16 * 1024;
const UTF8_NAME = 0x800;
const END_OF_DIRECTORY = [0x06054b50, 0x06064b50];

/**
 * Reads within the file alone: node:fs throws at a place no file has, and the library does not expect that. The library
 * asks for a few bytes at a time, of what lies together.
 */
class BoundedReader extends RandomAccessReader {
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(
    private readonly handle: FileHandle,
    private readonly bytes: number,
    private readonly signal: AbortSignal,
  ) {
    super();
  }

  override read(...[buffer, offset, length, position, done]: Parameters<RandomAccessReader['read']>): void {
    const finish = done as (error: Error | null, bytesRead?: number) => void;
    this.#load(position, length).then(
      (found) => finish(null, found.copy(buffer, offset)),
      (error: Error) => finish(error),
    );
  }

  async #load(position: number, length: number): Promise<Buffer> {
    this.signal.throwIfAborted();
    if (!(position >= 0 && position + length <= this.bytes)) throw new Error('outside of the file');
    if (position < this.#start || position + length > this.#start + this.#window.length) {
      const { buffer, bytesRead } = await this.handle.read({
        buffer: Buffer.alloc(Math.max(length, WINDOW)),
        position,
      });
      this.#window = buffer.subarray(0, bytesRead);
      this.#start = position;
    }
    return this.#window.subarray(position - this.#start, position - this.#start + length);
  }
}

/** UTF-8 is taken for what it is, also where the archive does not say so. */
function nameOf(entry: Entry): string {
  const flags = isUtf8(entry.fileNameRaw) ? entry.generalPurposeBitFlag | UTF8_NAME : entry.generalPurposeBitFlag;
  return getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, true);
}

/** A copy: the library's entry keeps the bytes of its extra fields and its comment. */
function recordOf(entry: Entry): ZipRecord {
  return {
    name: nameOf(entry),
    rawName: entry.fileNameRaw.toString('latin1'),
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    crc32: entry.crc32,
    compressedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    offset: entry.relativeOffsetOfLocalHeader,
    mode: entry.externalFileAttributes >>> 16,
  };
}

/** Where the library reads on; its types are wrong about it. */
const cursorOf = (zip: ZipFile) => zip.readEntryCursor as unknown as number;

/** @throws {ArchiveRejected} at the limit of entries; otherwise the library's errors. */
export async function readZipDirectory(
  handle: FileHandle,
  bytes: number,
  meter: ArchiveMeter,
  signal: AbortSignal,
): Promise<ZipDirectory> {
  const reader = new BoundedReader(handle, bytes, signal);
  const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
  const zip = await fromRandomAccessReaderPromise(reader, bytes, options);
  const offset = cursorOf(zip);
  const records: ZipRecord[] = [];
  for await (const entry of zip.eachEntry()) {
    meter.enter();
    records.push(recordOf(entry));
  }
  await checkEnd(handle, cursorOf(zip));
  return { zip, offset, records: records.sort((a, b) => a.offset - b.offset) };
}

/** An archive that hides entries counts fewer of them than it has. */
async function checkEnd(handle: FileHandle, position: number): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, position);
  if (bytesRead < 4 || !END_OF_DIRECTORY.includes(buffer.readUInt32LE()))
    throw ArchiveRejected.whole('The archive is damaged: it does not have as many entries as it says.');
}
