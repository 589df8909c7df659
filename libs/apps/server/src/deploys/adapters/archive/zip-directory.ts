import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as rest } from 'node:timers/promises';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { ArchiveRejected } from '../../domain/archive.errors';
import type { ArchiveMeter } from '../../domain/archive-limits';
import { untilAborted, untilAbortedEach } from '../../application/until-aborted';

/** An entry as the central directory of a zip file describes it. */
export interface ZipRecord {
  readonly name: string;
  /** The bytes of the name, one per character. */
  readonly rawName: string;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of the entry's local header. */
  readonly offset: number;
  /** Unix file type and permissions; 0 when the archive has none. */
  readonly mode: number;
}

/**
 * Where the entries of a zip file begin and end. Takes 8 bytes of memory per entry, independent of the length of its
 * name.
 */
export interface ZipLayout {
  /** For reading local headers. The directory is already read. */
  readonly zip: ZipFile;
  /** @param offset of an entry's local header. @returns where the next entry or the directory begins. */
  endOf(offset: number): number;
}

/** Each read of the file takes about 0.2 ms of the event loop, however small it is. */
const WINDOW = 256 * 1024;
/** Reading this many entries blocks the event loop for about a millisecond. */
const ENTRIES_PER_REST = 256;
const REST_MS = 6;
const UTF8_NAME = 0x800;
const END_OF_DIRECTORY = [0x06054b50, 0x06064b50];

/**
 * Rejects reads outside the file, because node:fs throws for them and the library does not handle that. Buffers a
 * window, because the library reads a few adjacent bytes at a time. One read at a time: all of them share a buffer.
 */
class BoundedReader extends RandomAccessReader {
  readonly #buffer = Buffer.allocUnsafe(WINDOW);
  #window = this.#buffer.subarray(0, 0);
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
    if (!(position >= 0 && position + length <= this.bytes)) throw new Error('outside of the file');
    if (position < this.#start || position + length > this.#start + this.#window.length) {
      this.signal.throwIfAborted();
      const buffer = length > WINDOW ? Buffer.allocUnsafe(length) : this.#buffer;
      const { bytesRead } = await this.handle.read({ buffer, position });
      this.#window = buffer.subarray(0, bytesRead);
      this.#start = position;
    }
    return this.#window.subarray(position - this.#start, position - this.#start + length);
  }
}

/** Reads a name as UTF-8 whenever its bytes are valid UTF-8, even if the archive does not set the flag. */
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

/** The position where the library continues reading. Its type declaration is wrong. */
const cursorOf = (zip: ZipFile) => zip.readEntryCursor as unknown as number;

/** A zip file on disk. */
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

/** Rests between the entries: the library reads a whole directory without leaving the event loop to other requests. */
async function* entriesOf(zip: ZipFile, signal: AbortSignal): AsyncGenerator<Entry> {
  let read = 0;
  for await (const entry of untilAbortedEach(zip.eachEntry(), signal)) {
    if (++read % ENTRIES_PER_REST === 0) await rest(REST_MS);
    yield entry;
  }
}

/**
 * Reads the whole directory and stores only the offsets.
 * @throws {ArchiveRejected} when there are too many entries or their names are too long; otherwise the library's errors.
 */
export async function readZipLayout(source: ZipSource, meter: ArchiveMeter): Promise<ZipLayout> {
  const zip = await openZip(source);
  const directory = cursorOf(zip);
  const found: number[] = [];
  for await (const entry of entriesOf(zip, source.signal)) {
    meter.countEntry();
    meter.countName(entry.fileNameRaw.length);
    found.push(entry.relativeOffsetOfLocalHeader);
  }
  await checkEnd(source.handle, cursorOf(zip));
  const offsets = Float64Array.from(found).sort();
  return { zip, endOf: (offset) => endOf(offset, offsets, directory) };
}

/**
 * Yields the entries in the order of the directory. Call it after `readZipLayout`, which enforces the limit of entries.
 */
export async function* zipRecords(source: ZipSource): AsyncGenerator<ZipRecord> {
  const zip = await openZip(source);
  for await (const entry of entriesOf(zip, source.signal)) yield recordOf(entry);
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

/** Rejects an archive that declares fewer entries than its directory holds. */
async function checkEnd(handle: FileHandle, position: number): Promise<void> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, position);
  if (bytesRead < 4 || !END_OF_DIRECTORY.includes(buffer.readUInt32LE()))
    throw ArchiveRejected.forArchive('The archive is damaged: it does not have as many entries as it declares.');
}
