import type { CnameRecord, DnsErrorCode, DnsRecord, DnsState } from '../../domain/dns/dns-record';

/** The right to change the record of one name, for a while; nobody else has it meanwhile. */
export interface DnsLease extends DnsRecord {
  readonly token: string;
  /** Seconds: a record that lives shorter may be removed by what was sent earlier and was never answered. */
  readonly minTtl: number;
  /** On the clock of `performance.now()`, milliseconds: after this nothing may be sent to the zone any more. */
  readonly endsAt: number;
}

/** What came of the work on a record. */
export type SyncOutcome =
  /** With `afterMs` it is looked at again. */
  | { readonly state: 'settled'; readonly now: CnameRecord | undefined; readonly afterMs?: number }
  | { readonly state: 'syncing'; readonly now: CnameRecord; readonly changeId: string; readonly afterMs: number }
  /** Nothing was begun. */
  | { readonly state: 'pending'; readonly afterMs: number }
  /** Without `afterMs` it waits until somebody asks. */
  | { readonly state: 'failed'; readonly error: DnsErrorCode; readonly afterMs?: number };

/** Whether what was sent may still happen, because nobody said what became of it. */
export function isOutcomeUnknown(outcome: SyncOutcome): boolean {
  return outcome.state === 'failed' && ['timeout', 'provider-unavailable'].includes(outcome.error);
}

/** Milliseconds until a record is due again; undefined when it is not by itself. */
export function retryDelayOf(outcome: SyncOutcome): number | undefined {
  return 'afterMs' in outcome ? outcome.afterMs : undefined;
}

/**
 * Which records the zone should have, and how far it is: kept in the same database as the apps, so that no crash
 * parts the two. A record that is due belongs to nobody until it is claimed. Every method raises DatabaseUnavailable.
 */
export abstract class DnsLedger {
  /** Claims records that are due, those that wait longest first. */
  abstract acquireDueLeases(most: number): Promise<readonly DnsLease[]>;

  /**
   * Writes down what came of a claim and gives it back. A record that is wanted otherwise by now is due at once; one
   * that is gone, and not wanted, opens its name. While something that was sent for a name may still happen, it is
   * looked at again at the end of that time, and records that are made for it live longer than those that may still be
   * removed; only then it is forgotten. A claim that somebody has taken over is lost: then
   * nothing happens.
   * @returns how the record is shown from now on; undefined unless it is wanted, and as it was when it was claimed.
   */
  abstract recordOutcome(claim: DnsLease, outcome: SyncOutcome): Promise<DnsState | undefined>;

  /** Has `claimDue` called for after so long, on any instance. */
  abstract scheduleReconciliation(ms: number): Promise<void>;

  /** The time of the database. */
  abstract now(): Promise<Date>;

  /** Which of these names the ledger knows, wanted or not. */
  abstract filterKnown(subdomains: readonly string[]): Promise<ReadonlySet<string>>;

  /** The names of all records that are wanted and were settled before `since`, in pages. */
  abstract settledNames(since: Date): AsyncIterable<readonly string[]>;

  /** Makes records due that turned out not to be what the ledger says. */
  abstract markDrifted(subdomains: readonly string[]): Promise<void>;

  /**
   * Takes up records of ours that nobody wants, to have them removed. Names that have become known meanwhile are
   * passed over.
   */
  abstract adopt(records: readonly { readonly subdomain: string; readonly known: CnameRecord }[]): Promise<void>;
}
