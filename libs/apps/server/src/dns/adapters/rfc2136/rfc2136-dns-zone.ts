import {
  type ChangeReceipt,
  DnsFailure,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns-zone.port';
import { TYPE, UnwritableMessage } from './message';
import { causeOf, failureOf, NameServerClient, type Rfc2136Options, unavailable } from './name-server-client';
import { RCODE } from './response-reader';
import { nameInUse, prerequisiteOf, updatesOf } from './update';
import { findCname, ZoneTransfer } from './zone-transfer';

const PREREQUISITE_FAILURES: readonly number[] = [RCODE.NXDOMAIN, RCODE.YXDOMAIN, RCODE.YXRRSET, RCODE.NXRRSET];

/**
 * A zone on a name server that accepts DNS updates (RFC 2136) signed with a shared key (RFC 8945), such as BIND, Knot
 * and PowerDNS. Prerequisites make an update a compare-and-swap of targets; they cannot include a TTL.
 */
export class Rfc2136DnsZone extends DnsZone {
  /**
   * Fits into one message with names of usual length. A longer batch is rejected like a conflict, so the caller splits
   * it.
   */
  readonly maxBatchSize = 200;

  readonly #client: NameServerClient;

  constructor(private readonly options: Rfc2136Options) {
    super();
    this.#client = new NameServerClient(options);
  }

  async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    const lists = { prerequisites: changes.map(prerequisiteOf), updates: changes.flatMap(updatesOf) };
    const rcode = await this.#client.update(lists, signal).catch((error: unknown) => {
      throw error instanceof UnwritableMessage ? refusalOf(changes, error) : error;
    });
    if (PREREQUISITE_FAILURES.includes(rcode)) throw new RecordConflict();
    if (rcode === RCODE.FORMERR) throw refusalOf(changes, causeOf(rcode));
    if (rcode !== RCODE.NOERROR) throw failureOf(rcode);
    return {};
  }

  async find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined> {
    try {
      const { rcode, bare } = await this.#client.ask({ name: hostname, type: TYPE.CNAME }, signal);
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
    for await (const { rcode, bare, isTrusted } of this.#client.exchange(question, signal)) {
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
    const { rcode } = await this.#client.ask({ name: this.options.zone, type: TYPE.SOA }, signal);
    if (rcode !== RCODE.NOERROR)
      throw rcode === RCODE.NXDOMAIN ? new DnsFailure('zone-missing', { cause: causeOf(rcode) }) : failureOf(rcode);
  }

  /** Sends an update without changes. Its prerequisite tests the zone itself, without wildcards. */
  async #isInUse(hostname: string, signal: AbortSignal): Promise<boolean> {
    const rcode = await this.#client.update({ prerequisites: [nameInUse(hostname)], updates: [] }, signal);
    if (rcode === RCODE.NOERROR) return true;
    if (rcode === RCODE.NXDOMAIN) return false;
    throw failureOf(rcode);
  }
}

/** The response does not name the invalid change. A conflict makes the caller split the batch down to one change. */
function refusalOf(changes: readonly RecordChange[], cause: Error): Error {
  return changes.length > 1 ? new RecordConflict({ cause }) : new DnsFailure('invalid-record', { cause });
}
