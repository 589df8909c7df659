import dnsPacket from 'dns-packet';
import type { Answer, Opt } from 'dns-packet';
import type { ChallengeRecords } from './challenge-records.ts';
import { isBelow } from './domain-name.ts';
import { readQuery } from './query.ts';
import type { Query, ParsedQuestion } from './query.ts';
import type { PracticeRecords } from './practice-records.ts';
import type { Zone } from './zone.ts';

/** What the server answers from. */
export interface Answers {
  readonly zone: Zone;
  readonly practice: PracticeRecords;
  readonly challenges: ChallengeRecords;
}

const RCODE = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const;
const COPIED_FLAGS = 0x7800 | dnsPacket.RECURSION_DESIRED;
const PLAIN_UDP_BYTES = 512;
/** Fits an unfragmented packet on all common networks. */
const EDNS_UDP_BYTES = 1232;
const COUNT_OF_QUESTIONS = 4;
const HEADER_BYTES = 12;
/** Seconds that resolvers cache an absent name: short, because apps can be created at any time. */
const NEGATIVE_TTL = 5;
const APEX_TTL = 60;
const CHALLENGE_TTL = 1;

export type Transport = 'udp' | 'tcp';

interface Reply {
  rcode: number;
  authoritative?: boolean;
  answers?: Answer[];
  authorities?: Answer[];
}

/** Returns the response to one message, or undefined to ignore it. Never throws for any input. */
export function respond(answers: Answers, message: Buffer, transport: Transport): Buffer | undefined {
  const query = readQuery(message);
  if (query.kind === 'ignored') return undefined;
  if (query.kind === 'unreadable') return write(query, { rcode: RCODE.FORMERR });
  if (query.kind === 'other-opcode') return write(query, { rcode: RCODE.NOTIMP });
  const reply = query.edns?.ednsVersion ? { rcode: RCODE.BADVERS } : lookUp(answers, query.question);
  const whole = write(query, reply);
  if (transport === 'tcp' || whole.length <= udpLimit(query.edns)) return whole;
  return write(query, { rcode: reply.rcode, authoritative: true }, dnsPacket.TRUNCATED_RESPONSE);
}

function udpLimit(edns: Opt | undefined): number {
  return edns ? Math.min(Math.max(edns.udpPayloadSize, PLAIN_UDP_BYTES), EDNS_UDP_BYTES) : PLAIN_UDP_BYTES;
}

/** The records that are responsible for a name. */
interface Source {
  readonly apex: string;
  exists(name: string): boolean;
  find(name: string, question: ParsedQuestion): Answer[];
}

function lookUp(answers: Answers, question: ParsedQuestion): Reply {
  const name = question.name.toLowerCase();
  const source = sourceOf(answers, name);
  const transfer = question.type === 'AXFR' || question.type === 'IXFR';
  const internet = question.class === 'IN' || question.class === 'ANY';
  if (!source || transfer || !internet) return { rcode: RCODE.REFUSED };
  const found = source.find(name, question);
  if (found.length) return { rcode: RCODE.NOERROR, authoritative: true, answers: found };
  const rcode = source.exists(name) ? RCODE.NOERROR : RCODE.NXDOMAIN;
  return { rcode, authoritative: true, authorities: [soa(answers.zone, NEGATIVE_TTL, source.apex)] };
}

function sourceOf({ zone, practice, challenges }: Answers, name: string): Source | undefined {
  if (challenges.covers(name)) {
    const apexName = challenges.zone ?? zone.domain;
    const find = (at: string, question: ParsedQuestion) =>
      (at === apexName ? apex(zone, apexName) : textsAt(challenges, at, question.name)).filter(isAsked(question));
    return { apex: apexName, exists: (at) => challenges.exists(at), find };
  }
  if (name === zone.domain || isBelow(name, zone.domain)) {
    return {
      apex: zone.domain,
      exists: (at) => zone.exists(at),
      find: (at, question) => answersFor(zone, at, question),
    };
  }
  if (!practice.covers(name)) return undefined;
  return { apex: zone.domain, exists: (at) => practice.exists(at), find: (at, { type }) => practice.find(at, type) };
}

function textsAt(challenges: ChallengeRecords, name: string, spelled: string): Answer[] {
  return challenges.find(name).map((value) => ({ type: 'TXT', name: spelled, ttl: CHALLENGE_TTL, data: [value] }));
}

function isAsked({ type }: ParsedQuestion): (record: Answer) => boolean {
  return (record) => type === 'ANY' || record.type === type;
}

function answersFor(zone: Zone, name: string, question: ParsedQuestion): Answer[] {
  if (name === zone.domain) return apex(zone).filter(isAsked(question));
  const record = zone.find(name);
  return record ? [{ type: 'CNAME', name: question.name, ttl: record.ttl, data: record.value }] : [];
}

function apex(zone: Zone, name = zone.domain): Answer[] {
  return [soa(zone, APEX_TTL, name), { type: 'NS', name, ttl: APEX_TTL, data: 'localhost' }];
}

function soa(zone: Zone, ttl: number, name = zone.domain): Answer {
  const times = { refresh: 3600, retry: 600, expire: 86_400, minimum: NEGATIVE_TTL };
  const data = { mname: 'localhost', rname: `hostmaster.${zone.domain}`, serial: zone.serial, ...times };
  return { type: 'SOA', name, ttl, data };
}

function write(query: Exclude<Query, { kind: 'ignored' }>, reply: Reply, extraFlags = 0): Buffer {
  const edns = query.kind === 'question' ? query.edns : undefined;
  const authority = reply.authoritative ? dnsPacket.AUTHORITATIVE_ANSWER : 0;
  const bytes = dnsPacket.encode({
    type: 'response',
    id: query.id,
    flags: (query.flags & COPIED_FLAGS) | authority | extraFlags | (reply.rcode & 15),
    answers: reply.answers ?? [],
    authorities: reply.authorities ?? [],
    additionals: edns
      ? [{ type: 'OPT', name: '.', udpPayloadSize: EDNS_UDP_BYTES, extendedRcode: reply.rcode >> 4 }]
      : [],
  });
  if (query.kind !== 'question') return bytes;
  // The encoder uses no compression pointers, so the raw question can be inserted unchanged.
  bytes.writeUInt16BE(1, COUNT_OF_QUESTIONS);
  return Buffer.concat([bytes.subarray(0, HEADER_BYTES), query.question.bytes, bytes.subarray(HEADER_BYTES)]);
}
