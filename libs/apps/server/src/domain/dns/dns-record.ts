import type { DnsError, DnsStatus } from '@homeport/apps/contracts';
import type { Subdomain } from '../registry/subdomain';

/** A CNAME. */
export interface CnameRecord {
  /** A host name in lower case, without a dot at the end. */
  readonly target: string;
  /** Seconds. */
  readonly ttl: number;
}

/** Of the records we make, unless a removal that may still happen names it. */
export const TTL_SECONDS = 60;

/** How long a change may still happen that was sent and never answered: a signed update is valid for that long. */
export const RECORD_QUARANTINE_MS = 300_000;

/**
 * How far the zone is from what is wanted: nothing done yet, taken by the provider but not visible everywhere, as
 * wanted, or refused.
 */
export const RECORD_STATES = ['pending', 'syncing', 'settled', 'failed'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

export type DnsErrorCode = DnsError['code'];

/** What the ledger knows of the record of one name. */
export interface DnsRecord {
  readonly subdomain: Subdomain;
  /** The app that wants the record; undefined: it is to go. */
  readonly appId: string | undefined;
  /** What stood in the zone when we last knew; undefined: nothing, as far as we know. */
  readonly known: CnameRecord | undefined;
  readonly state: RecordState;
  /** What the provider calls the change that is not visible everywhere yet. */
  readonly changeId: string | undefined;
  /** How often the present state was tried to be left. */
  readonly attempts: number;
}

/** The state of a record as people see it. */
export interface DnsState {
  readonly state: RecordState;
  readonly error: DnsErrorCode | undefined;
  readonly attempts: number;
  readonly nextAttemptAt: Date | undefined;
}

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
  'foreign-record': 'Another DNS record already stands at this name. An operator has to look at it.',
  'invalid-record': 'The DNS provider refused the record. An operator has to look at it.',
};

const RETRYABLE: readonly DnsErrorCode[] = ['throttled', 'timeout', 'provider-unavailable'];

export function isRetryable(code: DnsErrorCode): boolean {
  return RETRYABLE.includes(code);
}

export function dnsStatusOf({ state }: Pick<DnsState, 'state'>): DnsStatus {
  return STATUSES[state];
}

/** Undefined while nothing is wrong. */
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

/** How long a record belongs to whoever works on it while a person waits, and to whoever works on many. */
export const REQUEST_LEASE_MS = 8_000;
export const BACKGROUND_LEASE_MS = 30_000;
/** For what is on its way when a claim ends. */
const LEASE_MARGIN_MS = 4_000;

/** @returns until when something may be sent to the zone, on the clock of `performance.now()`. */
export function sendDeadline(claimedAt: number, claimMs: number): number {
  return claimedAt + claimMs - LEASE_MARGIN_MS;
}

const MIN_RETRY_MS = 2_000;
const MAX_RETRY_MS = 15 * 60_000;

/**
 * How long to wait after a failure: 2 s, doubling up to 15 min, the upper half of it at random.
 * @param attempts how many have failed, from 1. @param chance from 0 up to 1. @returns milliseconds.
 */
export function retryDelayMs(attempts: number, chance: number): number {
  const longest = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** (attempts - 1));
  return Math.round((longest * (1 + chance)) / 2);
}

const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 30_000;

/** How long to wait until a change is looked at again that is not visible everywhere. @returns milliseconds. */
export function syncDelayMs(looks: number): number {
  return Math.min(MAX_POLL_MS, MIN_POLL_MS * 2 ** looks);
}
