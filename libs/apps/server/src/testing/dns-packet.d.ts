/** The part of dns-packet 5.6 that is used here; the package ships no types. */
declare module 'dns-packet' {
  export interface Question {
    name: string;
    type: string;
  }

  /** `data` of a CNAME is its target; of other types it is whatever dns-packet makes of them. */
  export type Answer =
    | { type: 'CNAME'; name: string; ttl: number; data: string }
    | { type: 'SOA' | 'NS' | 'A' | 'TXT' | 'TSIG'; name: string; ttl: number; data: unknown };

  export interface Packet {
    id: number;
    type: 'query' | 'response';
    opcode: string;
    rcode: string;
    questions: Question[];
    answers: Answer[];
  }

  const dnsPacket: {
    /** @throws {Error} on what is no message; plain errors and range errors alike. */
    decode(bytes: Buffer): Packet;
    encode(packet: { type: 'query'; id: number; flags?: number; questions: Question[] }): Buffer;
    streamEncode(packet: { type: 'query'; id: number; questions: Question[] }): Buffer;
  };
  export default dnsPacket;
}
