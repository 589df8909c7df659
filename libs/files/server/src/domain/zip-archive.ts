import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { dataDescriptor, directoryHeader, endRecords, localHeader, type ZipRecord } from './zip-records';

/** A file of an archive. */
export interface ZipEntry {
  /** Unique in the archive, relative, separated by slashes; at most 65,535 bytes in UTF-8. */
  readonly name: string;
  readonly modifiedAt: Date;
  /** The size of the body in bytes. */
  readonly size: number;
  readonly body: AsyncIterable<Buffer> | Iterable<Buffer>;
}

const DIRECTORY_PART_BYTES = 64 * 1024;

/**
 * Writes a zip archive as a stream: each entry is stored without compression and followed by its CRC and size, and the
 * central directory ends the archive. Uses zip64 for entries and offsets from 4 GiB − 1 and from 65,535 entries.
 * It needs about 30 bytes of memory per entry and reads one body at a time, only as fast as the archive is read.
 * @param entries read one after the other; each body is read to its end before the next entry.
 * @returns the bytes of the archive, never empty chunks.
 * @throws {Error} when a body does not have the declared size. Errors of `entries` and of bodies are passed on.
 */
export async function* zipArchive(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer, void, undefined> {
  const directory = new CentralDirectory();
  let offset = 0;
  for await (const { body, ...entry } of entries) {
    const name = Buffer.from(entry.name);
    const header = localHeader({ ...entry, name });
    yield header;
    let checksum = 0;
    let size = 0;
    for await (const chunk of body) {
      if (chunk.length === 0) continue;
      checksum = crc32(chunk, checksum);
      size += chunk.length;
      yield chunk;
    }
    if (size !== entry.size) throw new Error(`an entry has ${size} bytes instead of ${entry.size}`);
    const descriptor = dataDescriptor({ crc32: checksum, size });
    yield descriptor;
    directory.add({ name, modifiedAt: entry.modifiedAt, size, crc32: checksum, offset });
    offset += header.length + size + descriptor.length;
  }
  yield* directory.parts();
  yield endRecords({ entries: directory.entries, size: directory.size, offset });
}

/** Keeps the directory compressed until the end of the archive, because names of one folder have much in common. */
class CentralDirectory {
  readonly #compressed: Buffer[] = [];
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  entries = 0;
  /** Bytes. */
  size = 0;

  add(record: ZipRecord): void {
    const header = directoryHeader(record);
    this.#pending.push(header);
    this.#pendingBytes += header.length;
    this.size += header.length;
    this.entries += 1;
    if (this.#pendingBytes >= DIRECTORY_PART_BYTES) this.#compress();
  }

  *parts(): Generator<Buffer, void, undefined> {
    for (const part of this.#compressed) yield inflateRawSync(part);
    if (this.#pendingBytes > 0) yield Buffer.concat(this.#pending);
  }

  #compress(): void {
    this.#compressed.push(deflateRawSync(Buffer.concat(this.#pending), { level: 1 }));
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}
