import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import dnsPacket, { type Answer } from 'dns-packet';

/** What a name server does wrong. `lame`: it is not responsible for the zone that leads to it. */
export type NameServerFault =
  'silent' | 'closed' | 'refused' | 'servfail' | 'nxdomain' | 'lame' | 'truncated' | 'wrong-id' | 'echo' | 'garbage';

export type FaultyRecordType = 'A' | 'AAAA' | 'CAA' | 'CNAME' | 'NS' | 'TXT';

const LENGTH_BYTES = 2;
const RCODES: Partial<Record<NameServerFault, number>> = { servfail: 2, nxdomain: 3, refused: 5 };
const NXDOMAIN = 3;

/** A name server on loopback, over TCP, that answers from its records or fails as it is told. */
export class FaultyNameServer {
  fault: NameServerFault | undefined;
  readonly #records = new Map<string, readonly string[]>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#serve(socket));

  /** @param isAuthoritative false for a resolver. */
  constructor(private readonly isAuthoritative: boolean) {}

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Sets all values of a type at a name. CAA values have the form `issue "ca.example"`. */
  set(name: string, type: FaultyRecordType, values: readonly string[]): void {
    this.#records.set(`${name} ${type}`, values);
  }

  clear(): void {
    this.#records.clear();
    this.fault = undefined;
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    socket.on('data', (bytes: Buffer) => {
      const { fault } = this;
      if (fault === 'silent') return;
      if (fault === 'closed') socket.destroy();
      else if (fault === 'garbage') socket.end(Buffer.from([0, 20, ...Array.from({ length: 20 }, () => 0xff)]));
      else if (fault === 'echo') socket.end(bytes);
      else socket.end(this.#respond(dnsPacket.decode(bytes.subarray(LENGTH_BYTES)), fault));
    });
  }

  #respond({ id = 0, questions }: ReturnType<typeof dnsPacket.decode>, fault: NameServerFault | undefined): Buffer {
    const { name = '', type = '' } = questions[0] ?? {};
    const answers = fault === undefined || fault === 'wrong-id' ? this.#answersTo(name.toLowerCase(), type) : [];
    const isAuthoritative = this.isAuthoritative && fault !== 'lame' && fault !== 'refused';
    const rcode = fault === undefined ? this.#rcodeFor(name.toLowerCase()) : (RCODES[fault] ?? 0);
    const flags =
      (isAuthoritative ? dnsPacket.AUTHORITATIVE_ANSWER : 0) |
      (fault === 'truncated' ? dnsPacket.TRUNCATED_RESPONSE : 0) |
      rcode;
    const answerId = fault === 'wrong-id' ? (id + 1) % 0x10000 : id;
    return dnsPacket.streamEncode({ type: 'response', id: answerId, flags, questions, answers });
  }

  /** The records of a type, after the CNAME records that lead to them. */
  #answersTo(name: string, type: string): Answer[] {
    const answers: Answer[] = [];
    let current = name;
    // Long enough for every chain of the tests, and an end for loops.
    for (let i = 0; i < 20; i += 1) {
      const values = this.#records.get(`${current} ${type}`) ?? [];
      const [alias] = this.#records.get(`${current} CNAME`) ?? [];
      if (values.length > 0 || alias === undefined || type === 'CNAME') {
        return [...answers, ...values.map((value) => toAnswer(current, type as FaultyRecordType, value))];
      }
      answers.push(toAnswer(current, 'CNAME', alias));
      current = alias;
    }
    return answers;
  }

  #rcodeFor(name: string): number {
    return [...this.#records.keys()].some((key) => key.split(' ')[0]?.endsWith(name)) ? 0 : NXDOMAIN;
  }
}

function toAnswer(name: string, type: FaultyRecordType, value: string): Answer {
  const at = { name, ttl: 1 };
  if (type === 'TXT') return { ...at, type, data: [value] };
  if (type !== 'CAA') return { ...at, type, data: value };
  const [tag = '', text = ''] = value.split(/ (.*)/);
  return { ...at, type, data: { flags: 0, tag, value: text.replaceAll('"', '') } };
}
