import dnsPacket from 'dns-packet';
import type { Opt, Packet } from 'dns-packet';

const HEADER_BYTES = 12;
const RESPONSE_BIT = 0x8000;
const OPCODE_BITS = 0x7800;

/** A parsed query, as far as it is readable. */
export type Query =
  | { kind: 'ignored' }
  | { kind: 'unreadable'; id: number; flags: number }
  | { kind: 'other-opcode'; id: number; flags: number }
  | { kind: 'question'; id: number; flags: number; question: ParsedQuestion; edns: Opt | undefined };

export interface ParsedQuestion {
  /** The raw bytes of the question, so that the response repeats them (resolvers check the letter case). */
  bytes: Buffer;
  name: string;
  type: string;
  class: string;
}

/** Parses a query. Never throws: malformed input is one of the results. */
export function readQuery(message: Buffer): Query {
  if (message.length < HEADER_BYTES) return { kind: 'ignored' };
  const id = message.readUInt16BE(0);
  const flags = message.readUInt16BE(2);
  // Replying to responses could make two servers loop endlessly.
  if (flags & RESPONSE_BIT) return { kind: 'ignored' };
  if (flags & OPCODE_BITS) return { kind: 'other-opcode', id, flags };
  // dns-packet allocates as many entries as the header claims, so claims beyond a real query are rejected first.
  const counts = [4, 6, 8, 10].map((offset) => message.readUInt16BE(offset));
  if (counts[0] !== 1 || counts.some((count) => count > 16)) return { kind: 'unreadable', id, flags };
  const packet = decode(message);
  const bytes = packet && questionBytes(message);
  const [parsedQuestion] = packet?.questions ?? [];
  if (!packet || !bytes || !parsedQuestion) return { kind: 'unreadable', id, flags };
  const question = { bytes, name: parsedQuestion.name, type: parsedQuestion.type, class: parsedQuestion.class ?? 'IN' };
  return { kind: 'question', id, flags, question, edns: packet.additionals.find((record) => record.type === 'OPT') };
}

function decode(message: Buffer): Required<Packet> | undefined {
  try {
    return dnsPacket.decode(message);
  } catch {
    // dns-packet throws plain errors, and range errors at the end of the message: both mean a malformed message.
    return undefined;
  }
}

function questionBytes(message: Buffer): Buffer | undefined {
  let offset = HEADER_BYTES;
  for (let length = message[offset]; length !== 0; length = message[offset]) {
    // The first name in a message cannot use a compression pointer.
    if (length === undefined || length > 63) return undefined;
    offset += length + 1;
  }
  const end = offset + 5;
  return end <= message.length ? message.subarray(HEADER_BYTES, end) : undefined;
}
