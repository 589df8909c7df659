/** Numbers of RFC 1035, 2136 and 8945. */
export const TYPE = { CNAME: 5, SOA: 6, TXT: 16, TSIG: 250, AXFR: 252, ANY: 255 } as const;
export const CLASS = { IN: 1, NONE: 254, ANY: 255 } as const;
const OPCODE = { query: 0, update: 5 } as const;

/** DNS over TCP prefixes each message with its length in 16 bits. */
export const MAX_MESSAGE_BYTES = 65_535;
export const HEADER_BYTES = 12;
/** Offset of the count of additional records. */
export const ARCOUNT_OFFSET = 10;
const MAX_LABEL_LENGTH = 63;
const MAX_DOMAIN_NAME_LENGTH = 255;
const POINTER = 0xc000;
/** The highest offset that a compression pointer can hold. */
const MAX_POINTER_OFFSET = 0x3fff;

/** A resource record. Its data is a name, bytes or empty. */
export interface DraftRecord {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** Seconds. */
  readonly ttl: number;
  /** Of a CNAME record. */
  readonly target?: string;
  /** Of other types. */
  readonly data?: Buffer;
}

/** An update (RFC 2136 section 2) or a query, which has neither list. */
export interface MessageDraft {
  /** 16 bits. */
  readonly id: number;
  readonly opcode: keyof typeof OPCODE;
  /** The question of a query, or the zone of an update. */
  readonly question: { readonly name: string; readonly type: number };
  readonly prerequisites?: readonly DraftRecord[];
  readonly updates?: readonly DraftRecord[];
}

/** The message cannot be encoded: a name is invalid, or the message is too long. */
export class UnwritableMessage extends Error {}

/** Encodes a message without a signature. @throws {UnwritableMessage} */
export function encodeMessage({ id, opcode, question, prerequisites = [], updates = [] }: MessageDraft): Buffer {
  const writer = new MessageWriter();
  writer.u16(id, OPCODE[opcode] << 11, 1, prerequisites.length, updates.length, 0);
  writer.name(question.name);
  writer.u16(question.type, CLASS.IN);
  for (const record of [...prerequisites, ...updates]) writer.record(record);
  return writer.bytes;
}

/** Encodes a name in the form that signatures use: lower case and not compressed. @throws {UnwritableMessage} */
export function encodeName(name: string): Buffer {
  const writer = new MessageWriter();
  writer.name(name);
  return writer.bytes;
}

/** Encodes 16-bit numbers in network byte order. */
export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => bytes.writeUInt16BE(value, at * 2));
  return bytes;
}

class MessageWriter {
  readonly #parts: Buffer[] = [];
  readonly #known = new Map<string, number>();
  #length = 0;

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  u16(...values: readonly number[]): void {
    this.#write(u16(...values));
  }

  record({ name, type, class: recordClass, ttl, target, data }: DraftRecord): void {
    this.name(name);
    this.u16(type, recordClass, ttl >>> 16, ttl & 0xffff);
    const length = Buffer.alloc(2);
    this.#write(length);
    const start = this.#length;
    if (target !== undefined) this.name(target);
    if (data !== undefined) this.#write(data);
    length.writeUInt16BE(this.#length - start);
  }

  /** Compresses a name (RFC 1035 section 4.1.4): a known suffix becomes a pointer, if a pointer can hold its offset. */
  name(name: string): void {
    const labels = labelsOf(name);
    for (const [at, label] of labels.entries()) {
      const rest = labels.slice(at).join('.');
      const known = this.#known.get(rest);
      if (known !== undefined) return this.u16(POINTER | known);
      if (this.#length <= MAX_POINTER_OFFSET) this.#known.set(rest, this.#length);
      this.#write(Buffer.from([label.length]), Buffer.from(label, 'latin1'));
    }
    this.#write(Buffer.from([0]));
  }

  #write(...parts: readonly Buffer[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      this.#length += part.length;
    }
    if (this.#length > MAX_MESSAGE_BYTES) throw new UnwritableMessage('the message exceeds 65,535 bytes');
  }
}

function labelsOf(name: string): readonly string[] {
  const text = name.toLowerCase().replace(/\.$/, '');
  const labels = text === '' ? [] : text.split('.');
  const isName = labels.every((label) => /^[\x21-\x7e]+$/.test(label) && label.length <= MAX_LABEL_LENGTH);
  if (!isName || text.length + 2 > MAX_DOMAIN_NAME_LENGTH) throw new UnwritableMessage(`not a domain name: ${name}`);
  return labels;
}
