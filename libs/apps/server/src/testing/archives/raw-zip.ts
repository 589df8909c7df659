import { crc32, deflateRawSync } from 'node:zlib';

/** What a header of a zip entry says. */
interface ZipHeaderFields {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly name: string | Buffer;
  readonly extra: Buffer;
}

/** One entry of a zip file, which may say what no well-kept library would write. */
export interface ZipPart extends Partial<ZipHeaderFields> {
  readonly name: string | Buffer;
  readonly data?: Buffer | string;
  /** The bytes in the file, when they are not the deflated data. */
  readonly packed?: Buffer;
  /** Unix file type and permissions. */
  readonly mode?: number;
  readonly madeBy?: number;
  /** Where the directory says the entry begins. */
  readonly offset?: number;
  /** What the header before the data says otherwise than the directory. */
  readonly local?: Partial<ZipHeaderFields>;
}

export interface ZipEnd {
  readonly count?: number;
  readonly disk?: number;
  readonly directoryOffset?: number;
  readonly commentLength?: number;
  /** Goes between the directory and its end, as the records of zip64 do. */
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
  const claims = { flags: 0, method: 8, extra: Buffer.alloc(0), size: data.length, compressedSize: packed.length };
  return { ...claims, crc: crc32(data), ...part };
}

/** The fields that both headers of an entry have, up to the lengths of its name and its extra fields. */
function shared({ flags, method, crc, compressedSize, size, name, extra }: ZipHeaderFields): Buffer {
  const lengths = uint16(Buffer.from(name as string).length, extra.length);
  return Buffer.concat([uint16(20, flags, method, 0, 0x21), uint32(crc, compressedSize, size), lengths]);
}

function localHeader(claims: ZipHeaderFields): Buffer {
  return Buffer.concat([uint32(0x04034b50), shared(claims), Buffer.from(claims.name as string), claims.extra]);
}

function directoryHeader(claims: ZipHeaderFields, part: ZipPart, offset: number): Buffer {
  const { mode = 0o100644, madeBy = UNIX } = part;
  const attributes = uint32(((mode << 16) | 0) >>> 0, part.offset ?? offset);
  const head = Buffer.concat([uint32(0x02014b50), uint16((madeBy << 8) | 20), shared(claims)]);
  return Buffer.concat([head, uint16(0, 0, 0), attributes, Buffer.from(claims.name as string), claims.extra]);
}

export function zipOf(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const data = Buffer.from((part.data ?? '') as string);
    const packed = part.packed ?? (part.method === 0 ? data : deflateRawSync(data));
    const claims = headerFieldsOf(part, data, packed);
    const file = Buffer.concat([localHeader({ ...claims, ...part.local }), packed]);
    directory.push(directoryHeader(claims, part, offset));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const { count = parts.length, disk = 0, directoryOffset = offset, beforeEnd = Buffer.alloc(0) } = end;
  const tail = [uint32(0x06054b50), uint16(disk, disk, count, count), uint32(listed.length, directoryOffset)];
  const behind = [uint16(end.commentLength ?? 0), end.behind ?? Buffer.alloc(0)];
  return Buffer.concat([...files, listed, beforeEnd, ...tail, ...behind]);
}

/** The two records of zip64: where the directory is, in 64 bits. */
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

/** Sizes and place of an entry in 64 bits, for the fields that are all ones. */
export function zip64Extra(...values: readonly bigint[]): Buffer {
  const data = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => data.writeBigUInt64LE(value, index * 8));
  return Buffer.concat([uint16(1, data.length), data]);
}
