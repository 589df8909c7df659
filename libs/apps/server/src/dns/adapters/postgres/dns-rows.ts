import type { EntityManager } from 'typeorm';
import {
  type DnsLease,
  isOutcomeUnknown,
  type RecordRequest,
  retryDelayOf,
  type SyncOutcome,
} from '../../application/dns-ledger.port';
import {
  BACKGROUND_LEASE_MS,
  type CnameRecord,
  type DnsErrorCode,
  type DnsState,
  RECORD_QUARANTINE_MS,
  sendDeadline,
  type RecordState,
  REQUEST_LEASE_MS,
  TTL_SECONDS,
} from '../../domain/dns-record';
import type { Subdomain } from '../../../shared/domain/subdomain';

/** A leased row of `apps.dns_records`. */
export interface LeasedRow {
  readonly subdomain: string;
  readonly app_id: string | null;
  readonly known_target: string | null;
  readonly known_ttl: number | null;
  readonly state: RecordState;
  readonly change_id: string | null;
  readonly attempts: number;
  readonly claim: string;
  readonly least_ttl: number;
}

/** The state of a DNS record that the API shows with its app. */
export interface DnsStateRow {
  readonly dns_state: RecordState;
  readonly dns_error: DnsErrorCode | null;
  readonly dns_attempts: number;
  readonly dns_next_attempt_at: Date | null;
}

/** Hides the next attempt while a record is leased, because it is not scheduled yet. */
export const DNS_STATE_COLUMNS = `r.state as dns_state, r.error as dns_error, r.attempts as dns_attempts,
  case when r.claim is null then r.next_attempt_at end as dns_next_attempt_at`;

export function toDnsState(row: DnsStateRow): DnsState {
  return {
    state: row.dns_state,
    error: row.dns_error ?? undefined,
    attempts: row.dns_attempts,
    nextAttemptAt: row.dns_next_attempt_at ?? undefined,
  };
}

const LEASED_COLUMNS = `r.subdomain, r.app_id, r.known_target, r.known_ttl, r.state, r.change_id, r.attempts, r.claim,
  coalesce(r.least_ttl, ${TTL_SECONDS}) as least_ttl`;

/**
 * Uses PostgreSQL's clock, because the clocks of instances differ. `now()` is the start of the transaction, which may
 * have waited for others; the lease would then end before its owner's deadline.
 */
function afterMilliseconds(ms: number): string {
  return `clock_timestamp() + ${Math.trunc(ms)} * interval '1 millisecond'`;
}

export const REQUEST_LEASE_END = afterMilliseconds(REQUEST_LEASE_MS);

/** Exceeds the TTL of every earlier record of the name, so no pending removal can match a record with this TTL. */
const LONGER_TTL = `greatest(r.known_ttl, coalesce(r.least_ttl, ${TTL_SECONDS})) + 1`;
const QUARANTINE_END = afterMilliseconds(RECORD_QUARANTINE_MS);

/** The previous holder did not release the lease, so its last change may still be applied. */
const QUARANTINED_IF_TAKEN_OVER = `
  doubted_until = case when r.claim is null then r.doubted_until else ${QUARANTINE_END} end,
  least_ttl = case when r.claim is null then r.least_ttl else ${LONGER_TTL} end`;

const ACQUIRE_LEASE_OF_APP = `
  with free as (
    select subdomain from apps.dns_records
    where app_id = $1 and (claim is null or next_attempt_at <= now())
    for update skip locked)
  update apps.dns_records r
  set claim = gen_random_uuid(), next_attempt_at = ${REQUEST_LEASE_END}, changed_at = now(), ${QUARANTINED_IF_TAKEN_OVER}
  from free where r.subdomain = free.subdomain
  returning ${LEASED_COLUMNS}`;

const ACQUIRE_DUE_LEASES = `
  with due as (
    select subdomain from apps.dns_records
    where next_attempt_at <= now() order by next_attempt_at limit $1
    for update skip locked)
  update apps.dns_records r
  set claim = gen_random_uuid(), next_attempt_at = ${afterMilliseconds(BACKGROUND_LEASE_MS)}, changed_at = now(),
      ${QUARANTINED_IF_TAKEN_OVER}
  from due where r.subdomain = due.subdomain
  returning ${LEASED_COLUMNS}`;

export async function acquireLeaseOfApp(manager: EntityManager, appId: string): Promise<DnsLease | undefined> {
  const startedAt = performance.now();
  const [rows] = await manager.query<[LeasedRow[], number]>(ACQUIRE_LEASE_OF_APP, [appId]);
  const [row] = rows;
  return row && toLease(row, sendDeadline(startedAt, REQUEST_LEASE_MS));
}

export async function acquireDueLeases(manager: EntityManager, limit: number): Promise<readonly DnsLease[]> {
  const startedAt = performance.now();
  const [rows] = await manager.query<[LeasedRow[], number]>(ACQUIRE_DUE_LEASES, [limit]);
  return rows.map((row) => toLease(row, sendDeadline(startedAt, BACKGROUND_LEASE_MS)));
}

/** See `DnsLedger.requestRecord`. */
export async function requestRecord(manager: EntityManager, app: RecordRequest): Promise<DnsLease | undefined> {
  const startedAt = performance.now();
  const [row] = await manager.query<[LeasedRow & { readonly is_leased: boolean }]>(
    `insert into apps.dns_records as r (subdomain, organization, app_id, state, claim, next_attempt_at)
     values ($1, $2, $3, 'pending', $4, ${REQUEST_LEASE_END})
     on conflict (subdomain) do update
     set organization = excluded.organization, app_id = excluded.app_id,
         state = 'pending', error = null, change_id = null, attempts = 0, changed_at = now(),
         doubted_until = case when r.claim is not null and r.next_attempt_at <= now()
           then ${QUARANTINE_END} else r.doubted_until end,
         least_ttl = case when r.claim is not null and r.next_attempt_at <= now()
           then ${LONGER_TTL} else r.least_ttl end,
         claim = case when r.claim is null or r.next_attempt_at <= now() then excluded.claim else r.claim end,
         next_attempt_at = case when r.claim is null or r.next_attempt_at <= now()
           then excluded.next_attempt_at else r.next_attempt_at end
     returning ${LEASED_COLUMNS}, r.claim = $4 as is_leased`,
    [app.subdomain, app.organization, app.id, crypto.randomUUID()],
  );
  return row.is_leased ? toLease(row, sendDeadline(startedAt, REQUEST_LEASE_MS)) : undefined;
}

/** See `DnsLedger.recordOutcome`. */
export async function recordOutcome(
  manager: EntityManager,
  lease: DnsLease,
  outcome: SyncOutcome,
): Promise<DnsState | undefined> {
  const leaseKey = [lease.subdomain, lease.token];
  const isRemoved = outcome.state === 'settled' && lease.appId === undefined;
  if (isRemoved && (await deleteUnlessQuarantined(manager, leaseKey))) return undefined;
  const [rows, updated] = isRemoved
    ? await manager.query<[DnsStateRow[], number]>(VACATE, leaseKey)
    : await manager.query<[DnsStateRow[], number]>(RECORD_OUTCOME, [
        ...leaseKey,
        lease.appId ?? null,
        ...valuesOf(lease, outcome),
      ]);
  if (updated > 0) return rows[0] && toDnsState(rows[0]);
  // The desired state has changed, or the lease is lost.
  const { target = null, ttl = null } = knownAfter(lease, outcome) ?? {};
  await manager.query(
    `update apps.dns_records r
     set claim = null, state = 'pending', error = null, change_id = null, attempts = 0,
         next_attempt_at = now(), known_target = $3, known_ttl = $4, changed_at = now(),
         doubted_until = case when $5 then ${QUARANTINE_END} else r.doubted_until end,
         least_ttl = case when $5 then ${LONGER_TTL} else r.least_ttl end
     where subdomain = $1 and claim = $2`,
    [...leaseKey, target, ttl, isOutcomeUnknown(outcome)],
  );
  return undefined;
}

async function deleteUnlessQuarantined(manager: EntityManager, leaseKey: readonly string[]): Promise<boolean> {
  const [, updated] = await manager.query<[unknown, number]>(
    `delete from apps.dns_records
     where subdomain = $1 and claim = $2 and app_id is null and coalesce(doubted_until <= clock_timestamp(), true)`,
    [...leaseKey],
  );
  return updated > 0;
}

/** Makes the name available to other organizations. Keeps the row, because an earlier change may still be applied. */
const VACATE = `
  update apps.dns_records
  set claim = null, organization = null, known_target = null, known_ttl = null, state = 'settled', change_id = null,
      error = null, attempts = 0, next_attempt_at = doubted_until, changed_at = now()
  where subdomain = $1 and claim = $2 and app_id is null`;

const RECORD_OUTCOME = `
  update apps.dns_records r
  set claim = null, changed_at = now(), known_target = $4, known_ttl = $5, state = $6::text, change_id = $7, error = $8,
      attempts = case when $6 = 'settled' then 0 when $6 = 'pending' then attempts
        when state = $6 then attempts + 1 else 1 end,
      next_attempt_at = case when $6 <> 'settled' or $9::integer is not null then now() + $9::integer * interval '1 millisecond'
        when r.doubted_until > clock_timestamp() then r.doubted_until end,
      doubted_until = case when $10::boolean then ${QUARANTINE_END}
        when $6 = 'settled' and r.doubted_until <= clock_timestamp() then null else r.doubted_until end,
      least_ttl = case when $10::boolean and app_id is null then ${LONGER_TTL}
        when $6 = 'settled' and r.doubted_until <= clock_timestamp() then null else r.least_ttl end
  where subdomain = $1 and claim = $2 and app_id is not distinct from $3::uuid
  returning ${DNS_STATE_COLUMNS}`;

function valuesOf(lease: DnsLease, outcome: SyncOutcome): readonly unknown[] {
  const known = knownAfter(lease, outcome);
  const afterMs = retryDelayOf(outcome);
  return [
    known?.target ?? null,
    known?.ttl ?? null,
    outcome.state,
    outcome.state === 'syncing' ? outcome.changeId : null,
    outcome.state === 'failed' ? outcome.error : null,
    afterMs === undefined ? null : Math.trunc(afterMs),
    isOutcomeUnknown(outcome),
  ];
}

function knownAfter({ known }: DnsLease, outcome: SyncOutcome): CnameRecord | undefined {
  return 'record' in outcome ? outcome.record : known;
}

function toLease(row: LeasedRow, deadline: number): DnsLease {
  return {
    // Only parsed subdomains are inserted.
    subdomain: row.subdomain as Subdomain,
    appId: row.app_id ?? undefined,
    known: row.known_target === null ? undefined : { target: row.known_target, ttl: row.known_ttl as number },
    state: row.state,
    changeId: row.change_id ?? undefined,
    attempts: row.attempts,
    token: row.claim,
    minTtl: row.least_ttl,
    sendDeadline: deadline,
  };
}
