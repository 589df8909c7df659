import { crc32, deflateRawSync } from 'node:zlib';

/** The header fields of a zip entry. */
interface ZipHeaderFields {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly name: string | Buffer;
  readonly extra: Buffer;
}

/** One entry of a zip file, which may be malformed. */
export interface ZipPart extends Partial<ZipHeaderFields> {
  readonly name: string | Buffer;
  readonly data?: Buffer | string;
  /** The bytes in the file, when they are not the deflated data. */
  readonly packed?: Buffer;
  /** Unix file type and permissions. */
  readonly mode?: number;
  readonly madeBy?: number;
  /** The offset in the directory, when it is not the real one. */
  readonly offset?: number;
  /** Fields of the local header that differ from the directory. */
  readonly local?: Partial<ZipHeaderFields>;
}

export interface ZipEnd {
  readonly count?: number;
  readonly disk?: number;
  readonly directoryOffset?: number;
  readonly commentLength?: number;
  /** Inserted between the directory and its end record, where the zip64 records belong. */
  readonly beforeEnd?: Buffer;
  readonly behind?: Buffer;
}

const UNIX = 3;
const uint16 = (...values: number[]) => numbers(values, 2);
const uint32 = (...values: number[]) => numbers(values, 4);

function numbers(values: readonly number[], bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(values.length * bytes);
  values.forEach((value, index) => buffer.writeUIntLE(value, index * bytes, bytes));
  return buffer;
}

function headerFieldsOf(part: ZipPart, data: Buffer, packed: Buffer): ZipHeaderFields {
  const fields = { flags: 0, method: 8, extra: Buffer.alloc(0), size: data.length, compressedSize: packed.length };
  return { ...fields, crc: crc32(data), ...part };
}

/** The fields common to both headers of an entry, up to the lengths of the name and the extra field. */
function shared({ flags, method, crc, compressedSize, size, name, extra }: ZipHeaderFields): Buffer {
  const lengths = uint16(Buffer.from(name as string).length, extra.length);
  return Buffer.concat([uint16(20, flags, method, 0, 0x21), uint32(crc, compressedSize, size), lengths]);
}

function localHeader(fields: ZipHeaderFields): Buffer {
  return Buffer.concat([uint32(0x04034b50), shared(fields), Buffer.from(fields.name as string), fields.extra]);
}

function directoryHeader(fields: ZipHeaderFields, part: ZipPart, offset: number): Buffer {
  const { mode = 0o100644, madeBy = UNIX } = part;
  const attributes = uint32(((mode << 16) | 0) >>> 0, part.offset ?? offset);
  const head = Buffer.concat([uint32(0x02014b50), uint16((madeBy << 8) | 20), shared(fields)]);
  return Buffer.concat([head, uint16(0, 0, 0), attributes, Buffer.from(fields.name as string), fields.extra]);
}

export function zipOf(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const data = Buffer.from((part.data ?? '') as string);
    const packed = part.packed ?? (part.method === 0 ? data : deflateRawSync(data));
    const fields = headerFieldsOf(part, data, packed);
    const file = Buffer.concat([localHeader({ ...fields, ...part.local }), packed]);
    directory.push(directoryHeader(fields, part, offset));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const { count = parts.length, disk = 0, directoryOffset = offset, beforeEnd = Buffer.alloc(0) } = end;
  const tail = [uint32(0x06054b50), uint16(disk, disk, count, count), uint32(listed.length, directoryOffset)];
  const behind = [uint16(end.commentLength ?? 0), end.behind ?? Buffer.alloc(0)];
  return Buffer.concat([...files, listed, beforeEnd, ...tail, ...behind]);
}

/** The two zip64 records, which hold the position of the directory in 64 bits. */
export function zip64End(record: { count: bigint; directoryOffset: bigint; recordOffset: bigint }): Buffer {
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(record.count, 24);
  end.writeBigUInt64LE(record.count, 32);
  end.writeBigUInt64LE(record.directoryOffset, 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(record.recordOffset, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}

/** The zip64 extra field: 64-bit values for the header fields that are all ones. */
export function zip64Extra(...values: readonly bigint[]): Buffer {
  const data = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => data.writeBigUInt64LE(value, index * 8));
  return Buffer.concat([uint16(1, data.length), data]);
}
