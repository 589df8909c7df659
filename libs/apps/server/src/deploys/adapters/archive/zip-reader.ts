import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry, LocalFileHeader, ZipFile } from 'yauzl';
import type { ArchiveFile } from '../../application/archive-reader.port';
import { ArchiveRejected } from '../../domain/archive.errors';
import type { ArchiveMeter } from '../../domain/archive-limits';
import { type ArchiveEntry, explainError, type Explanations, isCorruption } from './archive-entry';
import { untilAborted } from '../../application/until-aborted';
import { readZipLayout, zipRecords, type ZipRecord } from './zip-directory';

const STORED = 0;
const DEFLATED = 8;
/** Flag bits: encrypted, strongly encrypted, names encrypted. */
const ENCRYPTED = 0x2041;
const SIZES_FOLLOW = 0x8;

const FILE_TYPE = 0o170000;
const PLAIN_TYPES = [0, 0o100000, 0o040000];
const SYMBOLIC_LINK = 0o120000;

const EXPLANATIONS: Explanations = [
  [/End of central directory/, 'The archive is not a zip file, or it is cut off.'],
  [/comment length/, 'The archive has bytes after its end, or its end is damaged.'],
  [/multi-disk/, 'The archive is one part of several. Send it as one file.'],
  [/encryption/, 'The archive is encrypted. Send it without a password.'],
];

const SIZE_MISMATCH = 'The archive declares a wrong size.';
const CHUNK = 64 * 1024;

/** The inputs for reading one entry. */
interface Source {
  readonly handle: FileHandle;
  readonly zip: ZipFile;
  readonly record: ZipRecord;
  /** Where the next entry or the directory begins. */
  readonly end: number;
  readonly meter: ArchiveMeter;
  readonly signal: AbortSignal;
}

/**
 * Reads the entries of a zip file. @throws {ArchiveRejected} when it is damaged or exceeds a limit; reading a body may
 * throw it too.
 */
export async function* zipEntries(
  { file, archiveBytes }: ArchiveFile,
  meter: ArchiveMeter,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const handle = await open(file);
  try {
    const source = { handle, bytes: archiveBytes, signal };
    const { zip, endOf } = await readZipLayout(source, meter);
    for await (const record of zipRecords(source)) {
      yield entryOf({ handle, zip, record, end: endOf(record.offset), meter, signal });
    }
  } catch (error) {
    throw zipFault(error);
  } finally {
    await handle.close();
  }
}

const zipFault = (error: unknown) =>
  explainError(error, EXPLANATIONS, 'The archive is damaged: its list of entries cannot be read.');

function entryOf(source: Source): ArchiveEntry {
  const { name, size } = source.record;
  const kind = name.endsWith('/') ? 'folder' : 'file';
  const fault = faultOf(source.record, kind);
  return { name, kind, size, ...(fault && { fault }), body: () => checkedBytes(source) };
}

function faultOf(record: ZipRecord, kind: ArchiveEntry['kind']): string | undefined {
  const type = record.mode & FILE_TYPE;
  if (type === SYMBOLIC_LINK) return 'It is a symbolic link. A site holds files and folders only.';
  if (!PLAIN_TYPES.includes(type)) return 'It is a device. A site holds files and folders only.';
  if (record.flags & ENCRYPTED) return 'It is encrypted. Send the archive without a password.';
  if (kind === 'folder') return record.size > 0 ? 'It is a folder, but has bytes like a file.' : undefined;
  if (record.method !== STORED && record.method !== DEFLATED)
    return `It is compressed in a way that is not supported (${record.method}). Use deflate.`;
  if (record.method === STORED && record.size !== record.compressedSize) return SIZE_MISMATCH;
  return undefined;
}

/** Yields the bytes of an entry and verifies that their number and checksum match the directory. */
async function* checkedBytes(source: Source): AsyncGenerator<Buffer> {
  const { record, meter, signal } = source;
  const { name } = record;
  let size = 0;
  let sum = 0;
  try {
    for await (const chunk of unpacked(record, await dataOf(source))) {
      signal.throwIfAborted();
      meter.countBytes(chunk.length);
      size += chunk.length;
      if (size > record.size) break;
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw isCorruption(error) ? ArchiveRejected.forEntry(name, 'It is damaged: it cannot be unpacked.') : error;
  }
  if (size !== record.size) throw ArchiveRejected.forEntry(name, SIZE_MISMATCH);
  if (sum !== record.crc32) throw ArchiveRejected.forEntry(name, 'It is damaged: its checksum is wrong.');
}

/**
 * Yields the compressed bytes of an entry. @throws {ArchiveRejected} when its local header contradicts the directory.
 */
async function dataOf({ handle, zip, record, end, signal }: Source): Promise<AsyncIterable<Buffer>> {
  const location = { relativeOffsetOfLocalHeader: record.offset, compressedSize: record.compressedSize };
  const header = await untilAborted(zip.readLocalFileHeaderPromise(location as Entry), signal);
  if (header.fileName.toString('latin1') !== record.rawName || header.compressionMethod !== record.method)
    throw ArchiveRejected.forEntry(record.name, 'It is damaged: its name or compression differs in two places.');
  if (!(header.generalPurposeBitFlag & SIZES_FOLLOW) && !sizesMatch(header, record))
    throw ArchiveRejected.forEntry(record.name, SIZE_MISMATCH);
  if (header.fileDataStart + record.compressedSize > end)
    throw ArchiveRejected.forEntry(record.name, 'It overlaps with another entry.');
  return slice(handle, header.fileDataStart, header.fileDataStart + record.compressedSize);
}

/** Sizes that exceed 32 bits are stored in the zip64 extra field, and the header holds 0xffffffff. */
function sizesMatch(header: LocalFileHeader, record: ZipRecord): boolean {
  const same = (local: number, known: number) => local === known || local === 0xffffffff;
  return (
    same(header.uncompressedSize, record.size) &&
    same(header.compressedSize, record.compressedSize) &&
    header.crc32 === record.crc32
  );
}

async function* slice(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end;) {
    const length = Math.min(CHUNK, end - position);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) throw new Error('the file ends early');
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* unpacked(record: ZipRecord, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (record.method === STORED || record.compressedSize === 0) return yield* packed;
  const inflate = createInflateRaw();
  // Errors surface where the stream is read.
  pipeline(packed, inflate, () => undefined);
  yield* inflate;
  if (inflate.bytesWritten !== record.compressedSize) throw new Error('the data ends early');
}
