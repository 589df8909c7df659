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
import { untilAborted, untilAbortedEach } from '../../application/until-aborted';

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

/** Where the entries of a zip file lie: 8 bytes of memory for each, whatever they are called. */
export interface ZipLayout {
  /** For reading local headers; it reads no more of the directory. */
  readonly zip: ZipFile;
  /** @param offset of an entry's local header. @returns where the next entry or the directory begins. */
  endOf(offset: number): number;
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

/** A zip file that lies on disk. */
export interface ZipSource {
  readonly handle: FileHandle;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

function openZip({ handle, bytes, signal }: ZipSource): Promise<ZipFile> {
  const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
  const reader = new BoundedReader(handle, bytes, signal);
  return untilAborted(fromRandomAccessReaderPromise(reader, bytes, options), signal);
}

/**
 * Reads the whole directory and keeps the offsets alone.
 * @throws {ArchiveRejected} at the limit of entries; otherwise the library's errors.
 */
export async function readZipLayout(source: ZipSource, meter: ArchiveMeter): Promise<ZipLayout> {
  const zip = await openZip(source);
  const directory = cursorOf(zip);
  const found: number[] = [];
  for await (const entry of untilAbortedEach(zip.eachEntry(), source.signal)) {
    meter.countEntry();
    found.push(entry.relativeOffsetOfLocalHeader);
  }
  await checkEnd(source.handle, cursorOf(zip));
  const offsets = Float64Array.from(found).sort();
  return { zip, endOf: (offset) => endOf(offset, offsets, directory) };
}

/** The entries in the order of the directory, one at a time. Call it after `readZipLayout`, which judges their number. */
export async function* zipRecords(source: ZipSource): AsyncGenerator<ZipRecord> {
  const zip = await openZip(source);
  for await (const entry of untilAbortedEach(zip.eachEntry(), source.signal)) yield recordOf(entry);
}

/** @param offsets ascending. @returns `offset` itself when two entries begin there: they overlap. */
function endOf(offset: number, offsets: Float64Array, directory: number): number {
  let low = 0;
  for (let high = offsets.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? Infinity) > offset) high = middle;
    else low = middle + 1;
  }
  return offsets[low - 2] === offset ? offset : (offsets[low] ?? directory);
}

/** An archive that hides entries counts fewer of them than it has. */
async function checkEnd(handle: FileHandle, position: number): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, position);
  if (bytesRead < 4 || !END_OF_DIRECTORY.includes(buffer.readUInt32LE()))
    throw ArchiveRejected.forArchive('The archive is damaged: it does not have as many entries as it says.');
}
