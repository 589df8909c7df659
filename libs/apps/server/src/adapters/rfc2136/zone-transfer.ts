import { type CnameRecord, DnsFailure, type ZoneRecord } from '../../application/dns/dns-zone.port';
import { TYPE } from './message';
import { type AnswerRecord, readAnswerSection } from './message-reader';

/** What a signed zone is signed with: RRSIG, NSEC, NSEC3. It may stand beside a CNAME, and at names nobody has made. */
const DNSSEC_TYPES: readonly number[] = [46, 47, 50];

/** The CNAME of exactly this name in an answer. @throws {DnsFailure} `provider-unavailable` */
export function findCname(message: Buffer, hostname: string): CnameRecord | undefined {
  const record = readRecords(message).find(({ type, name }) => type === TYPE.CNAME && name === hostname);
  return record && cnameOf(record);
}

/** A zone as it is transferred (RFC 5936): begun and ended by its SOA, in as many messages as it takes. */
export class ZoneTransfer {
  readonly #found = new Map<string, CnameRecord | 'other'>();
  #soas = 0;

  constructor(private readonly apex: string) {}

  get isComplete(): boolean {
    return this.#soas === 2;
  }

  /** Every name below the apex. */
  get records(): readonly ZoneRecord[] {
    return Array.from(this.#found, ([hostname, found]) =>
      found === 'other' ? { hostname } : { hostname, cname: found },
    );
  }

  /** @throws {DnsFailure} `provider-unavailable` */
  take(message: Buffer): void {
    for (const record of readRecords(message)) {
      if (record.type === TYPE.SOA) this.#soas += 1;
      else if (this.#soas !== 1) throw unavailable(new Error('records before or after their zone'));
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
