/** The parts of DER (ITU-T X.690) that certificates need. */

/** @param tag the identifier octet. */
export function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

export const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
export const set = (...contents: readonly Buffer[]): Buffer => der(0x31, ...contents);
export const octetString = (content: Buffer): Buffer => der(0x04, content);
/** All bits of the bytes are used. */
export const bitString = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const TRUE = der(0x01, Buffer.from([0xff]));

/** @param bytes of a number that is not negative. */
export function unsigned(bytes: Buffer): Buffer {
  return der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes);
}

/** @param dotted such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Two digits of the year until 2049, four from 2050 (RFC 5280, section 4.1.2.5). */
export function time(date: Date): Buffer {
  const text = date.toISOString().replace(/\.\d+|[-:T]/g, '');
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = [];
  for (let rest = length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
