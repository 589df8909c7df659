import { HEADER_BYTES, TYPE } from './message';

/** A record of an answer. Of the data, only a CNAME's is of interest, whatever else a zone may hold. */
export interface AnswerRecord {
  /** In lower case, without a dot at the end. */
  readonly name: string;
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  /** Of a CNAME. */
  readonly target?: string;
}

const POINTER_BITS = 0xc0;
const MAX_DOMAIN_NAME_LENGTH = 255;

/** The records of the answer section, in their order. @throws {RangeError} on what is no message. */
export function readAnswerSection(message: Buffer): readonly AnswerRecord[] {
  let at = HEADER_BYTES;
  for (let left = message.readUInt16BE(4); left > 0; left -= 1) at = endOfName(message, at) + 4;
  const records: AnswerRecord[] = [];
  for (let left = message.readUInt16BE(6); left > 0; left -= 1) {
    const fixed = endOfName(message, at);
    const type = message.readUInt16BE(fixed);
    const data = fixed + 10;
    const target = type === TYPE.CNAME ? { target: nameAt(message, data) } : {};
    records.push({ name: nameAt(message, at), type, ttl: message.readUInt32BE(fixed + 4), ...target });
    at = data + message.readUInt16BE(fixed + 8);
  }
  return records;
}

/** Where the name that begins here ends. @throws {RangeError} when that is not inside of the message. */
export function endOfName(message: Buffer, start: number): number {
  let at = start;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    if (length >= POINTER_BITS) return at + 2;
    at += 1 + length;
  }
  return at + 1;
}

/** @throws {RangeError} when a pointer does not lead back, or the name is too long. */
function nameAt(message: Buffer, start: number): string {
  const labels: string[] = [];
  let at = start;
  let limit = start;
  let left = MAX_DOMAIN_NAME_LENGTH;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    if (length >= POINTER_BITS) {
      at = message.readUInt16BE(at) & 0x3fff;
      // Always farther back, so that it comes to an end.
      if (at >= limit) throw new RangeError('a pointer that does not lead back');
      limit = at;
    } else {
      labels.push(textOf(message.subarray(at + 1, at + 1 + length)));
      at += 1 + length;
      left -= 1 + length;
      if (left < 1) throw new RangeError('a name that is too long');
    }
  }
  return labels.join('.');
}

/** In lower case; what would not be read as it is, as in a zone file: `\046`. */
function textOf(label: Buffer): string {
  const escape = (char: string) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`;
  return label
    .toString('latin1')
    .toLowerCase()
    .replace(/[^!-~]|[.\\]/g, escape);
}
