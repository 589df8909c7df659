import type { CnameRecord, DnsErrorCode } from '../domain/dns-record';

export type { CnameRecord } from '../domain/dns-record';

/** The records at a name. */
export interface ZoneRecord {
  /** In lower case, without a trailing dot. */
  readonly hostname: string;
  /** Absent when the name has other records than a CNAME. */
  readonly cname?: CnameRecord;
}

/**
 * A conditional change: it is executed only if the name has no record (`before` absent), or exactly the CNAME `before`.
 * Zones that cannot compare the TTL compare only the target.
 */
export interface RecordChange {
  readonly hostname: string;
  readonly before?: CnameRecord;
  /** Absent: the record is removed. */
  readonly after?: CnameRecord;
}

/** Confirms that the zone has accepted a change. */
export interface ChangeReceipt {
  /** The id for `isInSync`; absent when the change is visible everywhere already. */
  readonly id?: string;
}

/**
 * The public DNS records of the platform domain. Every method can reject with DnsFailure; after `timeout` and
 * `provider-unavailable` a change may have been executed nevertheless. Methods do not retry: callers decide.
 */
export abstract class DnsZone {
  /** Maximum number of changes in one call. */
  abstract readonly maxBatchSize: number;

  /**
   * Executes all changes or none; each has a different name.
   * @throws {RecordConflict} when a record does not match the condition of a change. `find` tells which one.
   */
  abstract change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt>;

  /** Finds the records at exactly this name. */
  abstract find(hostname: string, signal: AbortSignal): Promise<ZoneRecord | undefined>;

  /** Whether a change is visible on every name server of the zone. @param id of its receipt. */
  abstract isInSync(id: string, signal: AbortSignal): Promise<boolean>;

  /** Lists each name of the zone below its apex once. */
  abstract records(signal: AbortSignal): AsyncIterable<ZoneRecord>;

  /** Resolves when the provider responds and knows the zone. */
  abstract ready(signal: AbortSignal): Promise<void>;
}

/** A call of the DNS provider failed. It becomes the app's `dns_error`, and never an error response. */
export class DnsFailure extends Error {
  constructor(
    readonly code: DnsErrorCode,
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}

/** A record of the zone does not match the condition of a change. */
export class RecordConflict extends Error {
  constructor(options?: ErrorOptions) {
    super('a DNS record does not match the condition of the change', options);
  }
}
