import type { EntityManager } from 'typeorm';
import { type Claim, delayOf, isUnanswered, type Settlement } from '../../application/dns/dns-ledger.port';
import {
  BACKGROUND_CLAIM_MS,
  type CnameRecord,
  type DnsErrorCode,
  type DnsState,
  DOUBT_MS,
  lastMomentOf,
  type RecordState,
  REQUEST_CLAIM_MS,
  TTL_SECONDS,
} from '../../domain/dns/dns-record';
import type { Subdomain } from '../../domain/registry/subdomain';

/** A claimed row of `apps.dns_records`. */
export interface ClaimedRow {
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

/** What is shown of a row beside its app. */
export interface ShownRow {
  readonly dns_state: RecordState;
  readonly dns_error: DnsErrorCode | null;
  readonly dns_attempts: number;
  readonly dns_next_attempt_at: Date | null;
}

/** While somebody works on a record, nobody knows when it is tried next. */
export const SHOWN_COLUMNS = `r.state as dns_state, r.error as dns_error, r.attempts as dns_attempts,
  case when r.claim is null then r.next_attempt_at end as dns_next_attempt_at`;

export function shownState(row: ShownRow): DnsState {
  return {
    state: row.dns_state,
    error: row.dns_error ?? undefined,
    attempts: row.dns_attempts,
    nextAttemptAt: row.dns_next_attempt_at ?? undefined,
  };
}

const CLAIMED_COLUMNS = `r.subdomain, r.app_id, r.known_target, r.known_ttl, r.state, r.change_id, r.attempts, r.claim,
  coalesce(r.least_ttl, ${TTL_SECONDS}) as least_ttl`;

/**
 * In PostgreSQL's time: clocks of instances differ. Not from the beginning of the transaction, which may have waited for
 * others: a claim must not end before whoever has it believes so.
 */
function inFuture(ms: number): string {
  return `clock_timestamp() + ${Math.trunc(ms)} * interval '1 millisecond'`;
}

export const REQUEST_CLAIM_END = inFuture(REQUEST_CLAIM_MS);

/** Longer than every record of the name has lived in the zone: no removal on its way can name that. */
const LONGER_TTL = `greatest(r.known_ttl, coalesce(r.least_ttl, ${TTL_SECONDS})) + 1`;
const DOUBT_END = inFuture(DOUBT_MS);

/** Whoever had the claim before never came back: what they sent last may still happen. */
const DOUBTED_IF_TAKEN_OVER = `
  doubted_until = case when r.claim is null then r.doubted_until else ${DOUBT_END} end,
  least_ttl = case when r.claim is null then r.least_ttl else ${LONGER_TTL} end`;

const CLAIM_OF_APP = `
  with free as (
    select subdomain from apps.dns_records
    where app_id = $1 and (claim is null or next_attempt_at <= now())
    for update skip locked)
  update apps.dns_records r
  set claim = gen_random_uuid(), next_attempt_at = ${REQUEST_CLAIM_END}, changed_at = now(), ${DOUBTED_IF_TAKEN_OVER}
  from free where r.subdomain = free.subdomain
  returning ${CLAIMED_COLUMNS}`;

const CLAIM_DUE = `
  with due as (
    select subdomain from apps.dns_records
    where next_attempt_at <= now() order by next_attempt_at limit $1
    for update skip locked)
  update apps.dns_records r
  set claim = gen_random_uuid(), next_attempt_at = ${inFuture(BACKGROUND_CLAIM_MS)}, changed_at = now(),
      ${DOUBTED_IF_TAKEN_OVER}
  from due where r.subdomain = due.subdomain
  returning ${CLAIMED_COLUMNS}`;

export async function claimOfApp(manager: EntityManager, appId: string): Promise<Claim | undefined> {
  const askedAt = performance.now();
  const [rows] = await manager.query<[ClaimedRow[], number]>(CLAIM_OF_APP, [appId]);
  const [row] = rows;
  return row && claimIn(row, lastMomentOf(askedAt, REQUEST_CLAIM_MS));
}

export async function claimsDue(manager: EntityManager, most: number): Promise<readonly Claim[]> {
  const askedAt = performance.now();
  const [rows] = await manager.query<[ClaimedRow[], number]>(CLAIM_DUE, [most]);
  return rows.map((row) => claimIn(row, lastMomentOf(askedAt, BACKGROUND_CLAIM_MS)));
}

/**
 * Notes the wish for a record, and claims it unless somebody else is busy with it.
 * @returns whether the name is open to this organization, and the claim.
 */
export async function wantRecord(
  manager: EntityManager,
  app: { readonly id: string; readonly organization: string; readonly subdomain: string },
): Promise<{ readonly isOpen: boolean; readonly claim?: Claim }> {
  const askedAt = performance.now();
  const rows = await manager.query<(ClaimedRow & { readonly is_ours: boolean })[]>(
    `insert into apps.dns_records as r (subdomain, organization, app_id, state, claim, next_attempt_at)
     values ($1, $2, $3, 'pending', $4, ${REQUEST_CLAIM_END})
     on conflict (subdomain) do update
     set organization = excluded.organization, app_id = excluded.app_id,
         state = 'pending', error = null, change_id = null, attempts = 0, changed_at = now(),
         doubted_until = case when r.claim is not null and r.next_attempt_at <= now()
           then ${DOUBT_END} else r.doubted_until end,
         least_ttl = case when r.claim is not null and r.next_attempt_at <= now()
           then ${LONGER_TTL} else r.least_ttl end,
         claim = case when r.claim is null or r.next_attempt_at <= now() then excluded.claim else r.claim end,
         next_attempt_at = case when r.claim is null or r.next_attempt_at <= now()
           then excluded.next_attempt_at else r.next_attempt_at end
     where r.organization is null or r.organization = excluded.organization
     returning ${CLAIMED_COLUMNS}, r.claim = $4 as is_ours`,
    [app.subdomain, app.organization, app.id, crypto.randomUUID()],
  );
  const [row] = rows;
  if (!row) return { isOpen: false };
  return { isOpen: true, ...(row.is_ours && { claim: claimIn(row, lastMomentOf(askedAt, REQUEST_CLAIM_MS)) }) };
}

/** See `DnsLedger.settle`. */
export async function settleClaim(
  manager: EntityManager,
  claim: Claim,
  settlement: Settlement,
): Promise<DnsState | undefined> {
  const own = [claim.subdomain, claim.token];
  const isGone = settlement.state === 'settled' && claim.appId === undefined;
  if (isGone && (await isForgotten(manager, own))) return undefined;
  const [rows, done] = isGone
    ? await manager.query<[ShownRow[], number]>(VACATE, own)
    : await manager.query<[ShownRow[], number]>(SETTLE, [...own, claim.appId ?? null, ...valuesOf(claim, settlement)]);
  if (done > 0) return rows[0] && shownState(rows[0]);
  // Something else is wanted by now, or the claim is lost.
  const { target = null, ttl = null } = knownAfter(claim, settlement) ?? {};
  await manager.query(
    `update apps.dns_records r
     set claim = null, state = 'pending', error = null, change_id = null, attempts = 0,
         next_attempt_at = now(), known_target = $3, known_ttl = $4, changed_at = now(),
         doubted_until = case when $5 then ${DOUBT_END} else r.doubted_until end,
         least_ttl = case when $5 then ${LONGER_TTL} else r.least_ttl end
     where subdomain = $1 and claim = $2`,
    [...own, target, ttl, isUnanswered(settlement)],
  );
  return undefined;
}

async function isForgotten(manager: EntityManager, own: readonly string[]): Promise<boolean> {
  const [, done] = await manager.query<[unknown, number]>(
    `delete from apps.dns_records
     where subdomain = $1 and claim = $2 and app_id is null and coalesce(doubted_until <= clock_timestamp(), true)`,
    [...own],
  );
  return done > 0;
}

/** Nobody's name any more, but what was sent for it may still happen. */
const VACATE = `
  update apps.dns_records
  set claim = null, organization = null, known_target = null, known_ttl = null, state = 'settled', change_id = null,
      error = null, attempts = 0, next_attempt_at = doubted_until, changed_at = now()
  where subdomain = $1 and claim = $2 and app_id is null`;

const SETTLE = `
  update apps.dns_records r
  set claim = null, changed_at = now(), known_target = $4, known_ttl = $5, state = $6::text, change_id = $7, error = $8,
      attempts = case when $6 = 'settled' then 0 when $6 = 'pending' then attempts
        when state = $6 then attempts + 1 else 1 end,
      next_attempt_at = case when $6 <> 'settled' or $9::integer is not null then now() + $9::integer * interval '1 millisecond'
        when r.doubted_until > clock_timestamp() then r.doubted_until end,
      doubted_until = case when $10::boolean then ${DOUBT_END}
        when $6 = 'settled' and r.doubted_until <= clock_timestamp() then null else r.doubted_until end,
      least_ttl = case when $10::boolean and app_id is null then ${LONGER_TTL}
        when $6 = 'settled' and r.doubted_until <= clock_timestamp() then null else r.least_ttl end
  where subdomain = $1 and claim = $2 and app_id is not distinct from $3::uuid
  returning ${SHOWN_COLUMNS}`;

function valuesOf(claim: Claim, settlement: Settlement): readonly unknown[] {
  const known = knownAfter(claim, settlement);
  const afterMs = delayOf(settlement);
  return [
    known?.target ?? null,
    known?.ttl ?? null,
    settlement.state,
    settlement.state === 'syncing' ? settlement.changeId : null,
    settlement.state === 'failed' ? settlement.error : null,
    afterMs === undefined ? null : Math.trunc(afterMs),
    isUnanswered(settlement),
  ];
}

function knownAfter({ known }: Claim, settlement: Settlement): CnameRecord | undefined {
  return 'now' in settlement ? settlement.now : known;
}

function claimIn(row: ClaimedRow, endsAt: number): Claim {
  return {
    // Only parsed subdomains are ever written here.
    subdomain: row.subdomain as Subdomain,
    appId: row.app_id ?? undefined,
    known: row.known_target === null ? undefined : { target: row.known_target, ttl: row.known_ttl as number },
    state: row.state,
    changeId: row.change_id ?? undefined,
    attempts: row.attempts,
    token: row.claim,
    leastTtl: row.least_ttl,
    endsAt,
  };
}
