import type { CnameRecord, DnsErrorCode, DnsRecord, DnsState } from '../domain/dns-record';
import type { Subdomain } from '../../shared/domain/subdomain';

/** The exclusive right to change the record of one name for a limited time. */
export interface DnsLease extends DnsRecord {
  readonly token: string;
  /** Seconds. An unanswered earlier removal may still remove a record with a shorter TTL. */
  readonly minTtl: number;
  /** The latest time to send a change to the zone, in milliseconds on the clock of `performance.now()`. */
  readonly sendDeadline: number;
}

/** The outcome of the work on a record. */
export type SyncOutcome =
  /** In sync; checked again after `afterMs`, if present. */
  | { readonly state: 'settled'; readonly record: CnameRecord | undefined; readonly afterMs?: number }
  | { readonly state: 'syncing'; readonly record: CnameRecord; readonly changeId: string; readonly afterMs: number }
  /** Not started. */
  | { readonly state: 'pending'; readonly afterMs: number }
  /** Without `afterMs` the record is not tried again until a user requests it. */
  | { readonly state: 'failed'; readonly error: DnsErrorCode; readonly afterMs?: number };

/** An app that needs the DNS record of its name. */
export interface RecordRequest {
  readonly id: string;
  readonly organization: string;
  readonly subdomain: Subdomain;
}

/** Whether a change may still be executed, because the provider did not confirm its outcome. */
export function isOutcomeUnknown(outcome: SyncOutcome): boolean {
  return outcome.state === 'failed' && ['timeout', 'provider-unavailable'].includes(outcome.error);
}

/** Milliseconds until a record is due again; undefined when it is not due automatically. */
export function retryDelayOf(outcome: SyncOutcome): number | undefined {
  return 'afterMs' in outcome ? outcome.afterMs : undefined;
}

/**
 * The desired state of all records and the progress towards it. It is stored in the database of the apps, so that a
 * crash cannot separate the two. Every method can reject with DatabaseUnavailable.
 */
export abstract class DnsLedger {
  /**
   * Stores that an app needs the record of its name. Until then the record belonged to no app.
   * @returns the lease for the record; undefined while other work holds it for an earlier app of the same name.
   */
  abstract requestRecord(app: RecordRequest): Promise<DnsLease | undefined>;

  /** Stores that no app needs the record any more, so that it is removed. */
  abstract withdrawRecord(appId: string): Promise<void>;

  /** Acquires the lease for the record of an app. @returns undefined while other work holds it. */
  abstract acquireLease(appId: string): Promise<DnsLease | undefined>;

  /** Acquires leases for due records, the longest overdue first. @param limit maximum number of leases. */
  abstract acquireDueLeases(limit: number): Promise<readonly DnsLease[]>;

  /**
   * Records the outcome of the work on a record and releases its lease. A record whose desired state has changed is due
   * immediately. A removed record that no app needs makes its name available. After an unconfirmed change the record is
   * in quarantine: the ledger keeps its row and checks it again at the end, and new records get a longer TTL than those that
   * may still be removed. Does nothing when another instance has taken over the lease.
   * @returns the state to show; undefined unless an app needs the record, and its desired state has not changed.
   */
  abstract recordOutcome(lease: DnsLease, outcome: SyncOutcome): Promise<DnsState | undefined>;

  /** Schedules a reconciliation on any instance. @param ms delay in milliseconds. */
  abstract scheduleReconciliation(ms: number): Promise<void>;

  /** The database's time. */
  abstract now(): Promise<Date>;

  /** @returns those of the names that the ledger knows. */
  abstract filterKnown(subdomains: readonly string[]): Promise<ReadonlySet<string>>;

  /** The names of all records that apps need and that have been in sync since before a time, in pages. */
  abstract settledNames(before: Date): AsyncIterable<readonly string[]>;

  /** Makes records due that differ from the ledger. */
  abstract markDrifted(subdomains: readonly string[]): Promise<void>;

  /**
   * Adds orphaned records to the ledger, so that they are removed. Skips names that the ledger knows by now.
   */
  abstract adopt(records: readonly { readonly subdomain: string; readonly known: CnameRecord }[]): Promise<void>;
}
