import type { DnsError, DnsStatus } from '@homeport/apps/contracts';
import { backoffMs } from '@homeport/kernel';
import type { Subdomain } from '../../shared/domain/subdomain';

/** A CNAME record. */
export interface CnameRecord {
  /** A host name in lower case, without a trailing dot. */
  readonly target: string;
  /** Seconds. */
  readonly ttl: number;
}

/** TTL of our records. A record gets a longer one while an unanswered removal of this one may still be executed. */
export const TTL_SECONDS = 60;

/** How long an unanswered change may still be executed: a signed update stays valid for this time. */
export const RECORD_QUARANTINE_MS = 300_000;

/**
 * Progress towards the desired state: not started, accepted by the provider but not visible everywhere, in sync, or
 * failed.
 */
export const RECORD_STATES = ['pending', 'syncing', 'settled', 'failed'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

export type DnsErrorCode = DnsError['code'];

/** The ledger's data about the record of one name. */
export interface DnsRecord {
  readonly subdomain: Subdomain;
  /** The app that needs the record; undefined when the record should be removed. */
  readonly appId: string | undefined;
  /** The last known record in the zone; undefined when none is known. */
  readonly known: CnameRecord | undefined;
  readonly state: RecordState;
  /** The provider's id of the change that is not visible everywhere yet. */
  readonly changeId: string | undefined;
  /** How many attempts to leave the present state were made. */
  readonly attempts: number;
}

/** The state of a record as it is shown to users. */
export interface DnsState {
  readonly state: RecordState;
  readonly error: DnsErrorCode | undefined;
  readonly attempts: number;
  readonly nextAttemptAt: Date | undefined;
}

/** The state of the record of a new app. */
export const NEW_DNS_STATE: DnsState = { state: 'pending', error: undefined, attempts: 0, nextAttemptAt: undefined };

const STATUSES: Readonly<Record<RecordState, DnsStatus>> = {
  pending: 'dns-pending',
  syncing: 'dns-pending',
  settled: 'dns-active',
  failed: 'dns-failed',
};

const MESSAGES: Readonly<Record<DnsErrorCode, string>> = {
  throttled: 'The DNS provider asks us to slow down.',
  timeout: 'The DNS provider did not answer in time.',
  'provider-unavailable': 'The DNS provider does not answer right now.',
  'access-denied': 'The DNS provider refused our credentials. An operator has to look at it.',
  'zone-missing': 'The DNS zone of the platform does not exist. An operator has to look at it.',
  'foreign-record': 'Another DNS record already exists at this name. An operator has to look at it.',
  'invalid-record': 'The DNS provider refused the record. An operator has to look at it.',
};

const RETRYABLE: readonly DnsErrorCode[] = ['throttled', 'timeout', 'provider-unavailable'];

export function isRetryable(code: DnsErrorCode): boolean {
  return RETRYABLE.includes(code);
}

export function dnsStatusOf({ state }: Pick<DnsState, 'state'>): DnsStatus {
  return STATUSES[state];
}

/** @returns undefined without an error. */
export function dnsErrorOf({ error, attempts, nextAttemptAt }: DnsState): DnsError | undefined {
  if (error === undefined) return undefined;
  return {
    code: error,
    message: MESSAGES[error],
    retryable: isRetryable(error),
    attempts,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  };
}

/** Lease durations: for one record while a request waits, and for a batch in the background. */
export const REQUEST_LEASE_MS = 8_000;
export const BACKGROUND_LEASE_MS = 30_000;
/** Maximum time between the scheduling of a recovery job and the start of the lease. */
const RECOVERY_MARGIN_MS = 2_000;
/** Time for calls that are in flight when a lease ends. */
const LEASE_MARGIN_MS = 4_000;

/** @returns the latest time at which a change may be sent to the zone, on the clock of `performance.now()`. */
export function sendDeadline(acquiredAt: number, leaseMs: number): number {
  return acquiredAt + leaseMs - LEASE_MARGIN_MS;
}

/**
 * The delay of the job that continues the work on a record if its lease holder crashes.
 * @param dueMs milliseconds until the record is due; by default the end of a lease that is acquired now.
 */
export function recoveryDelayMs(dueMs = REQUEST_LEASE_MS): number {
  return dueMs + RECOVERY_MARGIN_MS;
}

const MIN_RETRY_MS = 2_000;
const MAX_RETRY_MS = 15 * 60_000;

/**
 * The delay after a failure: 2 s, doubling up to 15 min; the upper half of it is random.
 * @param attempts failed attempts, at least 1.
 * @param chance random number from 0 up to 1.
 * @returns milliseconds.
 */
export function retryDelayMs(attempts: number, chance: number): number {
  const longest = backoffMs(attempts, { firstMs: MIN_RETRY_MS, maxMs: MAX_RETRY_MS });
  return Math.round((longest * (1 + chance)) / 2);
}

const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 30_000;

/**
 * The delay before a change that is not visible everywhere is checked again.
 * @param checks how often it was checked before.
 * @returns milliseconds.
 */
export function syncDelayMs(checks: number): number {
  return backoffMs(checks + 1, { firstMs: MIN_POLL_MS, maxMs: MAX_POLL_MS });
}
