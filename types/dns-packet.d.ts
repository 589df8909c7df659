/** The part of dns-packet 5.6 that is used here; the package ships no types. */
declare module 'dns-packet' {
  export interface Question {
    name: string;
    type: string;
    class?: string;
  }

  export interface SoaData {
    mname: string;
    rname: string;
    serial: number;
    refresh: number;
    retry: number;
    expire: number;
    minimum: number;
  }

  /** `data` of a CNAME or NS is a name, of an A or AAAA an address. */
  export type Answer =
    | { type: 'CNAME' | 'NS' | 'A' | 'AAAA'; name: string; ttl: number; data: string }
    | { type: 'SOA'; name: string; ttl: number; data: SoaData }
    | { type: 'CAA'; name: string; ttl: number; data: { flags: number; tag: string; value: string } }
    /** Encoding also takes a single text. Decoding gives the parts. */
    | { type: 'TXT'; name: string; ttl: number; data: string | Buffer | (string | Buffer)[] }
    | { type: 'TSIG'; name: string; ttl: number; data: unknown };

  export interface Opt {
    type: 'OPT';
    name: '.';
    udpPayloadSize: number;
    extendedRcode?: number;
    ednsVersion?: number;
    flags?: number;
  }

  /** Encoding takes the opcode and the response code from `flags`, decoding gives both. */
  export interface Packet {
    id?: number;
    type?: 'query' | 'response';
    flags?: number;
    opcode?: string;
    rcode?: string;
    questions?: Question[];
    answers?: Answer[];
    authorities?: Answer[];
    additionals?: (Answer | Opt)[];
  }

  const dnsPacket: {
    readonly AUTHORITATIVE_ANSWER: number;
    readonly TRUNCATED_RESPONSE: number;
    readonly RECURSION_DESIRED: number;
    encode(packet: Packet): Buffer;
    /** @throws {Error} on what is no message; plain errors and range errors alike. */
    decode(bytes: Buffer): Required<Packet> & { flag_qr: boolean; flag_aa: boolean; flag_tc: boolean };
    streamEncode(packet: Packet): Buffer;
  };
  export default dnsPacket;
}
