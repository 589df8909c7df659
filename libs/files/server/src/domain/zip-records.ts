/** The records of PKWARE APPNOTE 6.3.10 that a streamed archive needs; all numbers are little-endian. */

/** A stored entry, as the central directory lists it. */
export interface ZipRecord {
  /** Encoded in UTF-8. */
  readonly name: Buffer;
  readonly modifiedAt: Date;
  /** Bytes. */
  readonly size: number;
  readonly crc32: number;
  /** Bytes before the local header. */
  readonly offset: number;
}

/** The values of these fields that mean "see the zip64 record" (4.4.1.4). */
export const MAX_UINT16 = 0xffff;
export const MAX_UINT32 = 0xffff_ffff;

const VERSION = 20;
const ZIP64_VERSION = 45;
const UNIX = 3 << 8;
/** Bit 3: sizes and CRC follow the data; bit 11: the name is UTF-8 (4.4.4). */
const FLAGS = 0x0808;
const STORED = 0;
/** `-rw-r--r--`, in the upper half of the external attributes of Unix. */
const REGULAR_FILE = 0o100644 * 2 ** 16;
const ZIP64_EXTRA = 0x0001;
const TIMESTAMP_EXTRA = 0x5455;

type Field = readonly [bytes: 1 | 2 | 4 | 8, value: number];

/** Whether an entry needs fields of 8 bytes for its size. */
export function isLarge(size: number): boolean {
  return size >= MAX_UINT32;
}

/** The local file header (4.3.7). Sizes and CRC are zero, because they follow in the data descriptor. */
export function localHeader({ name, modifiedAt, size }: Pick<ZipRecord, 'name' | 'modifiedAt' | 'size'>): Buffer {
  const large = isLarge(size);
  const zip64 = large ? pack([2, ZIP64_EXTRA], [2, 16], [8, 0], [8, 0]) : Buffer.alloc(0);
  const extra = Buffer.concat([zip64, timestamp(modifiedAt)]);
  const sizeField: Field = [4, large ? MAX_UINT32 : 0];
  const head = pack(
    [4, 0x04034b50],
    [2, large ? ZIP64_VERSION : VERSION],
    [2, FLAGS],
    [2, STORED],
    ...dosTime(modifiedAt),
    [4, 0],
    sizeField,
    sizeField,
    [2, name.length],
    [2, extra.length],
  );
  return Buffer.concat([head, name, extra]);
}

/** The data descriptor (4.3.9); its sizes have 8 bytes when the local header has the zip64 field. */
export function dataDescriptor({ crc32, size }: Pick<ZipRecord, 'crc32' | 'size'>): Buffer {
  const sizeField: Field = [isLarge(size) ? 8 : 4, size];
  return pack([4, 0x08074b50], [4, crc32], sizeField, sizeField);
}

/** The header of an entry in the central directory (4.3.12). */
export function directoryHeader({ name, modifiedAt, size, crc32, offset }: ZipRecord): Buffer {
  const zip64 = zip64Extra(size, offset);
  const extra = Buffer.concat([zip64, timestamp(modifiedAt)]);
  const version = zip64.length > 0 ? ZIP64_VERSION : VERSION;
  const sizeField: Field = [4, Math.min(size, MAX_UINT32)];
  const head = pack(
    [4, 0x02014b50],
    [2, UNIX | version],
    [2, version],
    [2, FLAGS],
    [2, STORED],
    ...dosTime(modifiedAt),
    [4, crc32],
    sizeField,
    sizeField,
    [2, name.length],
    [2, extra.length],
    // No comment, disk 0, no internal attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, REGULAR_FILE],
    [4, Math.min(offset, MAX_UINT32)],
  );
  return Buffer.concat([head, name, extra]);
}

/** Position of the central directory. */
export interface DirectoryPosition {
  readonly entries: number;
  /** Bytes of the directory. */
  readonly size: number;
  /** Bytes before the directory. */
  readonly offset: number;
}

/** The end records: zip64 (4.3.14, 4.3.15) where a number does not fit, and the end of central directory (4.3.16). */
export function endRecords({ entries, size, offset }: DirectoryPosition): Buffer {
  const end = pack(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entries, MAX_UINT16)],
    [2, Math.min(entries, MAX_UINT16)],
    [4, Math.min(size, MAX_UINT32)],
    [4, Math.min(offset, MAX_UINT32)],
    [2, 0],
  );
  if (entries < MAX_UINT16 && size < MAX_UINT32 && offset < MAX_UINT32) return end;
  const versions: readonly Field[] = [
    [2, UNIX | ZIP64_VERSION],
    [2, ZIP64_VERSION],
  ];
  const disks: readonly Field[] = [
    [4, 0],
    [4, 0],
  ];
  const zip64End = pack(
    [4, 0x06064b50],
    [8, 44],
    ...versions,
    ...disks,
    [8, entries],
    [8, entries],
    [8, size],
    [8, offset],
  );
  const locator = pack([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]);
  return Buffer.concat([zip64End, locator, end]);
}

/** The zip64 field of a directory header: only the values that do not fit, in this order (4.5.3). */
function zip64Extra(size: number, offset: number): Buffer {
  const values: Field[] = [];
  if (isLarge(size)) values.push([8, size], [8, size]);
  if (offset >= MAX_UINT32) values.push([8, offset]);
  return values.length === 0 ? Buffer.alloc(0) : pack([2, ZIP64_EXTRA], [2, values.length * 8], ...values);
}

/** The extended timestamp of Info-ZIP (4.6.1): seconds since 1970, because the other fields have no time zone. */
function timestamp(date: Date): Buffer {
  const seconds = Math.max(0, Math.min(Math.floor(date.getTime() / 1_000), 0x7fff_ffff));
  return pack([2, TIMESTAMP_EXTRA], [2, 5], [1, 1], [4, seconds]);
}

/** Time and date of MS-DOS in UTC (4.4.6): 1980 to 2107, in steps of 2 seconds. */
function dosTime(date: Date): readonly [Field, Field] {
  const year = Math.max(1980, Math.min(date.getUTCFullYear(), 2107));
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return [
    [2, time],
    [2, ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()],
  ];
}

function pack(...fields: readonly Field[]): Buffer {
  const record = Buffer.allocUnsafe(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) at = record.writeBigUInt64LE(BigInt(value), at);
    else at = record.writeUIntLE(value, at, bytes);
  }
  return record;
}
