import { ArchiveRejected } from '../../domain/archive.errors';

const BLOCK = 512;
/** Limit of an extension header, in bytes. A path has at most 1,024 of them. */
const MAX_EXTENSION_BYTES = 1024 * 1024;

/** Numeric fields of a header (POSIX pax, "ustar Interchange Format"): name, offset and length. */
const NUMBERS = [
  ['mode', 100, 8],
  ['user id', 108, 8],
  ['group id', 116, 8],
  ['modification time', 136, 12],
  ['device number', 329, 8],
  ['device number', 337, 8],
] as const;
const SIZE = { offset: 124, length: 12 };
const CHECKSUM = { offset: 148, length: 8 };
const TYPE_OFFSET = 156;

const FOLDER = '5';
const GLOBAL_PAX = 'g';
const PAX = ['x', GLOBAL_PAX];
/** GNU long names and links. */
const GNU_EXTENSIONS = ['K', 'L', 'N'];

/**
 * Validates the header blocks of a tar file before the library reads them. tar-stream 3.2.2 reads a malformed size as
 * `null` and then waits for bytes that never come, so every size must be a number before it gets there.
 */
export class TarHeaderValidator {
  /** Bytes of bodies and padding to skip until the next header. */
  #skipped = 0;
  #pending: Buffer[] = [];
  #missing = BLOCK;
  #pax: { readonly size: number; readonly isGlobal: boolean } | undefined;
  #paxSize: number | undefined;
  #isDamaged = false;

  /** @param chunk the next bytes of the unpacked archive. @throws {ArchiveRejected} */
  push(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0 && !this.#isDamaged;) {
      const length = Math.min(rest.length, this.#skipped || this.#missing);
      if (this.#skipped > 0) this.#skipped -= length;
      else this.#collect(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }

  #collect(bytes: Buffer): void {
    // Copied, because the next reader may change the chunk.
    this.#pending.push(Buffer.from(bytes));
    this.#missing -= bytes.length;
    if (this.#missing > 0) return;
    const whole = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#missing = BLOCK;
    if (this.#pax) this.#readPax(whole, this.#pax);
    else this.#readHeader(whole);
  }

  #readHeader(header: Buffer): void {
    const sum = sumOf(header);
    // A block of zeros ends the archive, or separates two concatenated archives.
    if (sum === 0) return;
    const type = header.toString('latin1', TYPE_OFFSET, TYPE_OFFSET + 1);
    // The library reports a wrong checksum and stops reading.
    if (numberIn(header, CHECKSUM) !== sum + CHECKSUM.length * 0x20) this.#isDamaged = true;
    else if (PAX.includes(type) || GNU_EXTENSIONS.includes(type)) this.#readExtension(header, type);
    else this.#readEntry(header, type);
  }

  #readExtension(header: Buffer, type: string): void {
    const size = sizeIn(header);
    if (size === 0) throw damaged('an extension header is empty');
    if (size > MAX_EXTENSION_BYTES) throw ArchiveRejected.forArchive('The archive has headers that are too large.');
    if (PAX.includes(type)) {
      this.#pax = { size, isGlobal: type === GLOBAL_PAX };
      this.#missing = size;
    } else this.#skipped = size + paddingOf(size);
  }

  #readEntry(header: Buffer, type: string): void {
    for (const [name, offset, length] of NUMBERS) {
      if (Number.isNaN(numberIn(header, { offset, length }))) throw damaged(`the ${name} in a header is not a number`);
    }
    const size = this.#paxSize ?? sizeIn(header);
    this.#paxSize = undefined;
    // The library treats a folder as empty, even when its header declares a size.
    this.#skipped = type === FOLDER ? 0 : size + paddingOf(size);
  }

  #readPax(body: Buffer, { size, isGlobal }: { readonly size: number; readonly isGlobal: boolean }): void {
    const text = paxRecordsIn(body).get('size');
    if (isGlobal && text !== undefined) throw damaged('a global header gives all entries one size');
    if (!isGlobal) this.#paxSize = text === undefined ? undefined : decimalIn(text);
    this.#pax = undefined;
    this.#skipped = paddingOf(size);
  }
}

/** @throws {ArchiveRejected} when the size is not a number, negative, or too large. */
export function assertEntrySize(size: number | null): void {
  if (size === null || Number.isNaN(size)) throw damaged('a size in a header is not a number');
  if (size < 0) throw damaged('a size in a header is below zero');
  if (!Number.isSafeInteger(size))
    throw ArchiveRejected.forArchive('The archive has an entry larger than any file can be.');
}

function damaged(cause: string): ArchiveRejected {
  return ArchiveRejected.forArchive(`The archive is damaged: ${cause}.`);
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

/** The sum of all header bytes except the checksum field. */
function sumOf(header: Buffer): number {
  const sum = header.reduce((total, byte) => total + byte, 0);
  const end = CHECKSUM.offset + CHECKSUM.length;
  return header.subarray(CHECKSUM.offset, end).reduce((total, byte) => total - byte, sum);
}

function sizeIn(header: Buffer): number {
  const size = numberIn(header, SIZE);
  assertEntrySize(size);
  return size;
}

/**
 * Reads octal digits, or GNU's base-256, whose first byte is 0x80, or 0xFF for a negative number. NaN for any other
 * form.
 */
function numberIn(header: Buffer, { offset, length }: { readonly offset: number; readonly length: number }): number {
  const field = header.subarray(offset, offset + length);
  const first = field.readUInt8(0);
  if (first === 0xff) return -1;
  if (first === 0x80) return Number(BigInt(`0x${field.toString('hex', 1)}`));
  const [, digits] = /^ *([0-7]*)[ \0]*$/.exec(field.toString('latin1')) ?? [];
  return digits === undefined ? NaN : Number.parseInt(digits || '0', 8);
}

function decimalIn(text: string): number {
  const size = /^\d+$/.test(text) ? Number(text) : NaN;
  assertEntrySize(text.startsWith('-') ? -1 : size);
  return size;
}

/**
 * Reads the records `length key=value\n` of a pax header. @throws {ArchiveRejected} when a record does not end at its
 * length.
 */
function paxRecordsIn(body: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let rest = body; rest.length > 0 && rest.readUInt8(0) !== 0;) {
    const [start = '', digits] = /^(\d{1,7}) /.exec(rest.toString('latin1', 0, 8)) ?? [];
    const length = Number(digits);
    const record = rest.toString('utf8', start.length, length - 1);
    const key = record.indexOf('=');
    if (!(length <= rest.length) || rest[length - 1] !== 0x0a || key < 0)
      throw damaged('an extension header is not valid');
    records.set(record.slice(0, key), record.slice(key + 1));
    rest = rest.subarray(length);
  }
  return records;
}
