import { randomInt } from 'node:crypto';
import type { DomainRecordType } from '@homeport/apps/contracts';
import dnsPacket, { type Answer } from 'dns-packet';
import { exchangeOverTcp, type ServerAddress } from '../../../shared/adapters/dns/tcp-exchange';

export type QuestionType = DomainRecordType | 'NS';

/** The response of a name server. */
export interface ServerResponse {
  /** Whether the server is responsible for the zone of the name. */
  readonly isAuthoritative: boolean;
  readonly answers: readonly Answer[];
}

const LENGTH_BYTES = 2;
/** More entries than any honest answer has. dns-packet allocates as many as the header claims. */
const MAX_ENTRIES = 200;
/** The numbers of the counts in the header (RFC 1035, section 4.1.1). */
const COUNT_OFFSETS = [4, 6, 8, 10] as const;

/**
 * Asks one server over TCP: answers cannot be forged from elsewhere, and are never truncated. Servers have to
 * support it (RFC 7766).
 * @param isRecursive asks the server to find the answer elsewhere.
 * @returns undefined without an answer, and for a failure of the server.
 */
export async function askServer(
  server: ServerAddress,
  question: { readonly name: string; readonly type: QuestionType },
  { isRecursive, signal }: { readonly isRecursive: boolean; readonly signal: AbortSignal },
): Promise<ServerResponse | undefined> {
  const id = randomInt(0x10000);
  const flags = isRecursive ? dnsPacket.RECURSION_DESIRED : 0;
  try {
    const message = dnsPacket.streamEncode({ type: 'query', id, flags, questions: [question] });
    for await (const bytes of exchangeOverTcp(server, message.subarray(LENGTH_BYTES), signal)) {
      return readResponse(bytes, id);
    }
  } catch {
    // Not reachable, too slow, or not a DNS message: the server says nothing.
  }
  return undefined;
}

function readResponse(bytes: Buffer, id: number): ServerResponse | undefined {
  if (COUNT_OFFSETS.some((offset) => bytes.readUInt16BE(offset) > MAX_ENTRIES)) return undefined;
  const packet = dnsPacket.decode(bytes);
  // A cut answer does not show what is missing. Over TCP nothing has to be cut.
  if (packet.id !== id || !packet.flag_qr || packet.flag_tc) return undefined;
  if (packet.rcode !== 'NOERROR' && packet.rcode !== 'NXDOMAIN') return undefined;
  return {
    isAuthoritative: packet.flag_aa,
    answers: packet.answers,
  };
}

/** The values of the records of a type at a name, in the form of `ServerAnswer`. */
export function valuesOf(answers: readonly Answer[], name: string, type: QuestionType): readonly string[] {
  return answers
    .filter((answer) => answer.type === type && hostName(answer.name) === name)
    .flatMap((answer) => {
      if (answer.type === 'TXT') return [textOf(answer.data)];
      if (answer.type === 'CAA') return [`${answer.data.tag} "${answer.data.value}"`];
      if (answer.type === 'A' || answer.type === 'AAAA') return [answer.data];
      return answer.type === 'CNAME' || answer.type === 'NS' ? [hostName(answer.data)] : [];
    });
}

/** A TXT record is a list of parts, which belong together. */
function textOf(data: string | Buffer | readonly (string | Buffer)[]): string {
  return [data].flat().map(String).join('');
}

/** In lower case, without a final dot. */
function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
