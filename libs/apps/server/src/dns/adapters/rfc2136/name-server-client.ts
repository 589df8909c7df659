import { randomInt } from 'node:crypto';
import { CodedFailure } from '@homeport/platform/server/observability';
import { exchangeOverTcp, type ServerAddress } from '../../../shared/adapters/dns/tcp-exchange';
import { DnsFailure } from '../../application/dns-zone.port';
import { encodeMessage, type MessageDraft, TYPE } from './message';
import { RCODE, ResponseReader } from './response-reader';
import { sign, type TsigKey } from './tsig';

export interface Rfc2136Options {
  readonly server: ServerAddress;
  /** The zone on the server. Records may be more than one label below its apex. */
  readonly zone: string;
  readonly key: TsigKey;
  /** Milliseconds since 1970, for the time in signatures. Default: the system clock. */
  readonly now?: () => number;
}

/** A verified response. */
export type SignedAnswer = ReturnType<ResponseReader['read']>;

const FAILURES: Readonly<Record<number, DnsFailure['code']>> = {
  [RCODE.FORMERR]: 'invalid-record',
  [RCODE.REFUSED]: 'access-denied',
  [RCODE.NOTAUTH]: 'zone-missing',
  [RCODE.NOTZONE]: 'zone-missing',
};

/**
 * Sends queries and updates of one zone (RFC 2136), signed with a shared key (RFC 8945). Always uses TCP, and accepts
 * only signed responses, except for a rejection. Every method throws DnsFailure, and UnwritableMessage for an invalid
 * name or a message that is too long.
 */
export class NameServerClient {
  constructor(private readonly options: Rfc2136Options) {}

  /** @returns the response code. */
  async update(lists: Pick<MessageDraft, 'prerequisites' | 'updates'>, signal: AbortSignal): Promise<number> {
    const question = { name: this.options.zone, type: TYPE.SOA };
    return (await this.#firstAnswer({ opcode: 'update', question, ...lists }, signal)).rcode;
  }

  ask(question: MessageDraft['question'], signal: AbortSignal): Promise<SignedAnswer> {
    return this.#firstAnswer({ opcode: 'query', question }, signal);
  }

  /** Yields the messages of a response. */
  async *exchange(draft: Omit<MessageDraft, 'id'>, signal: AbortSignal): AsyncGenerator<SignedAnswer, void, void> {
    const { server, key, now = Date.now } = this.options;
    const seconds = () => Math.floor(now() / 1_000);
    const id = randomInt(0x1_0000);
    const { message, mac } = sign(encodeMessage({ id, ...draft }), key, seconds());
    const reader = new ResponseReader({ id, opcode: draft.opcode }, key, mac);
    for await (const answer of exchangeOverTcp(server, message, signal)) yield reader.read(answer, seconds());
  }

  async #firstAnswer(draft: Omit<MessageDraft, 'id'>, signal: AbortSignal): Promise<SignedAnswer> {
    for await (const answer of this.exchange(draft, signal)) return answer;
    throw unavailable('the connection was closed without a response');
  }
}

/** The failure that a response code means. */
export function failureOf(rcode: number): DnsFailure {
  return new DnsFailure(FAILURES[rcode] ?? 'provider-unavailable', { cause: causeOf(rcode) });
}

export function causeOf(rcode: number): Error {
  const [name = `RCODE_${rcode}`] = Object.entries(RCODE).find(([, value]) => value === rcode) ?? [];
  return new CodedFailure(name, `the name server answered ${name}`);
}

export function unavailable(reason: string): DnsFailure {
  return new DnsFailure('provider-unavailable', { cause: new CodedFailure('BAD_ANSWER', reason) });
}
