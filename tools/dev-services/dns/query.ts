import dnsPacket from 'dns-packet';
import type { Opt, Packet } from 'dns-packet';

const HEADER_BYTES = 12;
const RESPONSE_BIT = 0x8000;
const OPCODE_BITS = 0x7800;

/** A query, read as far as it can be read. */
export type Query =
  | { kind: 'ignored' }
  | { kind: 'unreadable'; id: number; flags: number }
  | { kind: 'other-opcode'; id: number; flags: number }
  | { kind: 'question'; id: number; flags: number; question: ParsedQuestion; edns: Opt | undefined };

export interface ParsedQuestion {
  /** As it came, so that the answer repeats its very bytes (resolvers check the letter case). */
  bytes: Buffer;
  name: string;
  type: string;
  class: string;
}

/** Never throws: what cannot be read is one of the answers. */
export function readQuery(message: Buffer): Query {
  if (message.length < HEADER_BYTES) return { kind: 'ignored' };
  const id = message.readUInt16BE(0);
  const flags = message.readUInt16BE(2);
  // Answering an answer lets two servers talk for ever.
  if (flags & RESPONSE_BIT) return { kind: 'ignored' };
  if (flags & OPCODE_BITS) return { kind: 'other-opcode', id, flags };
  // dns-packet makes room for as many entries as the header claims; ours have one question and at most a few others.
  const claimed = [4, 6, 8, 10].map((offset) => message.readUInt16BE(offset));
  if (claimed[0] !== 1 || claimed.some((count) => count > 16)) return { kind: 'unreadable', id, flags };
  const packet = decode(message);
  const bytes = packet && questionBytes(message);
  const [asked] = packet?.questions ?? [];
  if (!packet || !bytes || !asked) return { kind: 'unreadable', id, flags };
  const question = { bytes, name: asked.name, type: asked.type, class: asked.class ?? 'IN' };
  return { kind: 'question', id, flags, question, edns: packet.additionals.find((record) => record.type === 'OPT') };
}

function decode(message: Buffer): Required<Packet> | undefined {
  try {
    return dnsPacket.decode(message);
  } catch {
    // dns-packet throws plain errors, and range errors at the end of the message: all mean that it is malformed.
    return undefined;
  }
}

function questionBytes(message: Buffer): Buffer | undefined {
  let offset = HEADER_BYTES;
  for (let length = message[offset]; length !== 0; length = message[offset]) {
    // The first name in a message has nothing to point back to.
    if (length === undefined || length > 63) return undefined;
    offset += length + 1;
  }
  const end = offset + 5;
  return end <= message.length ? message.subarray(HEADER_BYTES, end) : undefined;
}
