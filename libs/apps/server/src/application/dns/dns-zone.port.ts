import type { CnameRecord, DnsErrorCode } from '../../domain/dns/dns-record';

export type { CnameRecord } from '../../domain/dns/dns-record';

/** What stands at a name. */
export interface ZoneRecord {
  /** In lower case, without a dot at the end. */
  readonly hostname: string;
  /** Absent when what stands there is no CNAME. */
  readonly cname?: CnameRecord;
}

/**
 * A change says what it takes to be there, and happens only if that is so: nothing (`before` absent), or exactly this
 * CNAME. Zones that cannot compare the time to live compare the target alone.
 */
export interface RecordChange {
  readonly hostname: string;
  readonly before?: CnameRecord;
  /** Absent: the record is removed. */
  readonly after?: CnameRecord;
}

/** What a zone answers to a change it has taken. */
export interface ChangeReceipt {
  /** To be asked for with `isInSync`; absent when the change is visible everywhere already. */
  readonly id?: string;
}

/**
 * The public DNS records of the platform domain. Every method raises DnsFailure; after `timeout` and
 * `provider-unavailable` a change may have happened all the same. Nothing is tried twice here: whoever asks decides.
 */
export abstract class DnsZone {
  /** How many changes may go together. */
  abstract readonly maxBatchSize: number;

  /**
   * Makes all of the changes or none of them; each is about another name.
   * @throws {RecordConflict} when a record is not what a change takes it to be. Which one it is, `find` tells.
   */
  abstract change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt>;

  /** What stands at exactly this name. */
  abstract find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined>;

  /** Whether a change is visible on every name server of the zone. @param id of its receipt. */
  abstract isInSync(id: string, signal: AbortSignal): Promise<boolean>;

  /** Every name of the zone below its apex, each once. */
  abstract records(signal: AbortSignal): AsyncIterable<ZoneRecord>;

  /** Resolves when the provider answers and knows the zone. */
  abstract ready(signal: AbortSignal): Promise<void>;
}

/** A DNS change that did not happen. It never reaches a caller as an error: it becomes the app's `dns_error`. */
export class DnsFailure extends Error {
  constructor(
    readonly code: DnsErrorCode,
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}

/** A record of the zone is not what a change took it to be. */
export class RecordConflict extends Error {
  constructor(options?: ErrorOptions) {
    super('a DNS record is not what the change took it to be', options);
  }
}
