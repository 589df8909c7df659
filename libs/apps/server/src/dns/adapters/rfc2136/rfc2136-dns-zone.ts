import { randomInt } from 'node:crypto';
import { CodedFailure } from '@homeport/platform/server/observability';
import {
  type ChangeReceipt,
  DnsFailure,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns-zone.port';
import { ResponseReader, RCODE } from './response-reader';
import { exchangeOverTcp, type ServerAddress } from '../../../shared/adapters/dns/tcp-exchange';
import { encodeMessage, type MessageDraft, TYPE, UnwritableMessage } from './message';
import { sign, type TsigKey } from './tsig';
import { nameInUse, prerequisiteOf, updatesOf } from './update';
import { findCname, ZoneTransfer } from './zone-transfer';

export interface Rfc2136Options {
  readonly server: ServerAddress;
  /** The zone on the server. Records may be more than one label below its apex. */
  readonly zone: string;
  readonly key: TsigKey;
  /** Milliseconds since 1970, for the time in signatures. Default: the system clock. */
  readonly now?: () => number;
}

const PREREQUISITE_FAILURES: readonly number[] = [RCODE.NXDOMAIN, RCODE.YXDOMAIN, RCODE.YXRRSET, RCODE.NXRRSET];
const FAILURES: Readonly<Record<number, DnsFailure['code']>> = {
  [RCODE.FORMERR]: 'invalid-record',
  [RCODE.REFUSED]: 'access-denied',
  [RCODE.NOTAUTH]: 'zone-missing',
  [RCODE.NOTZONE]: 'zone-missing',
};

/**
 * A zone on a name server that accepts DNS updates (RFC 2136) signed with a shared key (RFC 8945), such as BIND, Knot
 * and PowerDNS. Prerequisites make an update a compare-and-swap of targets; they cannot include a TTL. Always uses TCP,
 * and accepts only signed responses, except for a rejection.
 */
export class Rfc2136DnsZone extends DnsZone {
  /**
   * Fits into one message with names of usual length. A longer batch is rejected like a conflict, so the caller splits
   * it.
   */
  readonly maxBatchSize = 200;

  constructor(private readonly options: Rfc2136Options) {
    super();
  }

  async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    const lists = { prerequisites: changes.map(prerequisiteOf), updates: changes.flatMap(updatesOf) };
    const rcode = await this.#update(lists, signal).catch((error: unknown) => {
      throw error instanceof UnwritableMessage ? refusalOf(changes, error) : error;
    });
    if (PREREQUISITE_FAILURES.includes(rcode)) throw new RecordConflict();
    if (rcode === RCODE.FORMERR) throw refusalOf(changes, causeOf(rcode));
    if (rcode !== RCODE.NOERROR) throw failureOf(rcode);
    return {};
  }

  async find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    try {
      const { rcode, bare } = await this.#ask({ name: hostname, type: TYPE.CNAME }, signal);
      if (rcode === RCODE.NXDOMAIN) return undefined;
      if (rcode !== RCODE.NOERROR) throw failureOf(rcode);
      // The answer may come from a wildcard, or be empty because only names below exist. A prerequisite distinguishes
      // these.
      if (!(await this.#isInUse(hostname, signal))) return undefined;
      const cname = findCname(bare, hostname);
      return { hostname, ...(cname && { cname }) };
    } catch (error) {
      throw error instanceof UnwritableMessage ? new DnsFailure('invalid-record', { cause: error }) : error;
    }
  }

  async isInSync(): Promise<boolean> {
    return true;
  }

  async *records(signal: AbortSignal): AsyncIterable<ZoneRecord> {
    const { zone } = this.options;
    const transfer = new ZoneTransfer(zone);
    const question = { opcode: 'query', question: { name: zone, type: TYPE.AXFR } } as const;
    for await (const { rcode, bare, isTrusted } of this.#exchange(question, signal)) {
      if (rcode !== RCODE.NOERROR) throw failureOf(rcode);
      transfer.take(bare);
      if (!transfer.isComplete) continue;
      if (!isTrusted) throw unavailable('the end of the zone transfer is not signed');
      yield* transfer.records;
      return;
    }
    throw unavailable('the zone transfer is incomplete');
  }

  async ready(signal: AbortSignal): Promise<void> {
    const { rcode } = await this.#ask({ name: this.options.zone, type: TYPE.SOA }, signal);
    if (rcode !== RCODE.NOERROR)
      throw rcode === RCODE.NXDOMAIN ? new DnsFailure('zone-missing', { cause: causeOf(rcode) }) : failureOf(rcode);
  }

  /** Sends an update without changes. Its prerequisite tests the zone itself, without wildcards. */
  async #isInUse(hostname: string, signal: AbortSignal): Promise<boolean> {
    const rcode = await this.#update({ prerequisites: [nameInUse(hostname)], updates: [] }, signal);
    if (rcode === RCODE.NOERROR) return true;
    if (rcode === RCODE.NXDOMAIN) return false;
    throw failureOf(rcode);
  }

  async #update(lists: Pick<MessageDraft, 'prerequisites' | 'updates'>, signal: AbortSignal): Promise<number> {
    const question = { name: this.options.zone, type: TYPE.SOA };
    return (await this.#firstAnswer({ opcode: 'update', question, ...lists }, signal)).rcode;
  }

  #ask(question: MessageDraft['question'], signal: AbortSignal): Promise<Answer> {
    return this.#firstAnswer({ opcode: 'query', question }, signal);
  }

  async #firstAnswer(draft: Omit<MessageDraft, 'id'>, signal: AbortSignal): Promise<Answer> {
    for await (const answer of this.#exchange(draft, signal)) return answer;
    throw unavailable('the connection was closed without a response');
  }

  async *#exchange(draft: Omit<MessageDraft, 'id'>, signal: AbortSignal): AsyncGenerator<Answer, void, void> {
    const { server, key, now = Date.now } = this.options;
    const seconds = () => Math.floor(now() / 1_000);
    const id = randomInt(0x1_0000);
    const { message, mac } = sign(encodeMessage({ id, ...draft }), key, seconds());
    const reader = new ResponseReader({ id, opcode: draft.opcode }, key, mac);
    for await (const answer of exchangeOverTcp(server, message, signal)) yield reader.read(answer, seconds());
  }
}

type Answer = ReturnType<ResponseReader['read']>;

/** The response does not name the invalid change. A conflict makes the caller split the batch down to one change. */
function refusalOf(changes: readonly RecordChange[], cause: Error): Error {
  return changes.length > 1 ? new RecordConflict({ cause }) : new DnsFailure('invalid-record', { cause });
}

function failureOf(rcode: number): DnsFailure {
  return new DnsFailure(FAILURES[rcode] ?? 'provider-unavailable', { cause: causeOf(rcode) });
}

function causeOf(rcode: number): Error {
  const [name = `RCODE_${rcode}`] = Object.entries(RCODE).find(([, value]) => value === rcode) ?? [];
  return new CodedFailure(name, `the name server answered ${name}`);
}

function unavailable(reason: string): DnsFailure {
  return new DnsFailure('provider-unavailable', { cause: new CodedFailure('BAD_ANSWER', reason) });
}
