import { HEADER_BYTES, TYPE } from './message';

/** A record of a response. Only the data of CNAME records is read. */
export interface AnswerRecord {
  /** Lower case, without a trailing dot. */
  readonly name: string;
  readonly type: number;
  /** Seconds. */
  readonly ttl: number;
  /** Set for a CNAME record. */
  readonly target?: string;
}

const POINTER_BITS = 0xc0;
const MAX_DOMAIN_NAME_LENGTH = 255;

/** Reads the records of the answer section in order. @throws {RangeError} when the bytes are not a valid message. */
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

/** Returns the offset after the name that starts here. @throws {RangeError} when it is outside the message. */
export function endOfName(message: Buffer, start: number): number {
  let at = start;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    if (length >= POINTER_BITS) return at + 2;
    at += 1 + length;
  }
  return at + 1;
}

/** @throws {RangeError} when a pointer does not point backwards, or the name is too long. */
function nameAt(message: Buffer, start: number): string {
  const labels: string[] = [];
  let at = start;
  let limit = start;
  let left = MAX_DOMAIN_NAME_LENGTH;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    if (length >= POINTER_BITS) {
      at = message.readUInt16BE(at) & 0x3fff;
      // A pointer must point backwards, so that the loop ends.
      if (at >= limit) throw new RangeError('a compression pointer does not point backwards');
      limit = at;
    } else {
      labels.push(textOf(message.subarray(at + 1, at + 1 + length)));
      at += 1 + length;
      left -= 1 + length;
      if (left < 1) throw new RangeError('a name is too long');
    }
  }
  return labels.join('.');
}

/** Lower case. Escapes special characters as in a zone file: `\046`. */
function textOf(label: Buffer): string {
  const escape = (char: string) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`;
  return label
    .toString('latin1')
    .toLowerCase()
    .replace(/[^!-~]|[.\\]/g, escape);
}
