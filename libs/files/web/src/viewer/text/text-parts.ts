import type { ByteRange } from '../../client/files-client';
import type { TextEncoding } from './decode-text';

/** The size of the parts in which a large file is read. */
export const PART_BYTES = 2 * 1024 * 1024;
/** The maximum number of bytes that a part may be extended by to end at a line break. */
const SLACK = 64 * 1024;
const LINE_FEED = 10;

export function partCount(size: number): number {
  return Math.max(1, Math.ceil(size / PART_BYTES));
}

/** The range to read for a part: slightly larger at both ends, to find where its lines begin and end. */
export function partRange(part: number, size: number): ByteRange {
  const first = Math.max(0, part * PART_BYTES - unitBefore(part));
  return { first, last: Math.min(size, (part + 1) * PART_BYTES + SLACK) - 1 };
}

/** Two bytes before a part are read to check whether a line ends there. */
function unitBefore(part: number): number {
  return part === 0 ? 0 : 2;
}

/**
 * The bytes of a part, from the range of `partRange`. Every byte of the file is in exactly one part. A part begins with
 * a line, or, inside a very long line, with a character.
 */
export function partBytes(read: Uint8Array, part: number, size: number, encoding: TextEncoding): Uint8Array {
  const before = unitBefore(part);
  const start = part === 0 ? 0 : boundary(read, before, encoding);
  const isLast = part === partCount(size) - 1;
  const end = isLast ? read.length : boundary(read, before + PART_BYTES, encoding);
  return read.subarray(start, end);
}

/** The first offset at or after `at` where a part may begin. It depends only on the surrounding bytes. */
function boundary(bytes: Uint8Array, at: number, encoding: TextEncoding): number {
  const limit = Math.min(bytes.length, at + SLACK);
  const step = encoding.startsWith('utf-16') ? 2 : 1;
  for (let place = at; place < limit; place += step) if (endsLine(bytes, place, encoding)) return place;
  let place = at;
  while (place < limit && place < at + 4 && continues(bytes, place, encoding)) place += step;
  return Math.min(place, bytes.length);
}

/** Whether the code unit before an offset is a line feed. */
function endsLine(bytes: Uint8Array, place: number, encoding: TextEncoding): boolean {
  if (encoding === 'utf-16le') return bytes[place - 2] === LINE_FEED && bytes[place - 1] === 0;
  if (encoding === 'utf-16be') return bytes[place - 2] === 0 && bytes[place - 1] === LINE_FEED;
  return bytes[place - 1] === LINE_FEED;
}

/** Whether the code unit at an offset continues a character. */
function continues(bytes: Uint8Array, place: number, encoding: TextEncoding): boolean {
  const byte = bytes[encoding === 'utf-16le' ? place + 1 : place] ?? 0;
  if (encoding === 'utf-8') return (byte & 0xc0) === 0x80;
  return encoding.startsWith('utf-16') && byte >= 0xdc && byte <= 0xdf;
}

/** The part at a typed position: "50%" or "1048576" (a byte offset). Undefined for any other text. */
export function partAt(words: string, size: number): number | undefined {
  const [, digits, percent] = /^\s*(\d+(?:[.,]\d+)?)\s*(%)?\s*$/.exec(words) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits.replace(',', '.'));
  const byte = percent ? (number / 100) * size : number;
  return Math.min(Math.floor(byte / PART_BYTES), partCount(size) - 1);
}
