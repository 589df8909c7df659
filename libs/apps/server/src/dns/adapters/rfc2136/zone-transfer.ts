import { type CnameRecord, DnsFailure, type ZoneRecord } from '../../application/dns-zone.port';
import { TYPE } from './message';
import { type AnswerRecord, readAnswerSection } from './message-reader';

/** RRSIG, NSEC and NSEC3 of a signed zone. They may exist beside a CNAME and at names without other records. */
const DNSSEC_TYPES: readonly number[] = [46, 47, 50];

/** Finds the CNAME of exactly this name in a response. @throws {DnsFailure} `provider-unavailable` */
export function findCname(message: Buffer, hostname: string): CnameRecord | undefined {
  const record = readRecords(message).find(({ type, name }) => type === TYPE.CNAME && name === hostname);
  return record && cnameOf(record);
}

/** Collects a zone transfer (RFC 5936), which starts and ends with the SOA record and may span several messages. */
export class ZoneTransfer {
  readonly #found = new Map<string, CnameRecord | 'other'>();
  #soas = 0;

  constructor(private readonly apex: string) {}

  get isComplete(): boolean {
    return this.#soas === 2;
  }

  /** All names below the apex. */
  get records(): readonly ZoneRecord[] {
    return Array.from(this.#found, ([hostname, found]) =>
      found === 'other' ? { hostname } : { hostname, cname: found },
    );
  }

  /** @throws {DnsFailure} `provider-unavailable` */
  take(message: Buffer): void {
    for (const record of readRecords(message)) {
      if (record.type === TYPE.SOA) this.#soas += 1;
      else if (this.#soas !== 1) throw unavailable(new Error('the transfer has records before or after the zone'));
      else this.#add(record);
    }
  }

  #add(record: AnswerRecord): void {
    const { name, type } = record;
    if (name === this.apex || DNSSEC_TYPES.includes(type)) return;
    this.#found.set(name, this.#found.has(name) ? 'other' : (cnameOf(record) ?? 'other'));
  }
}

function cnameOf({ target, ttl }: AnswerRecord): CnameRecord | undefined {
  return target === undefined ? undefined : { target, ttl };
}

function readRecords(message: Buffer): readonly AnswerRecord[] {
  try {
    return readAnswerSection(message);
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): DnsFailure {
  return new DnsFailure('provider-unavailable', { cause });
}
