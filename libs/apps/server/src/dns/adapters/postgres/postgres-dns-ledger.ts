import type { JobQueue } from '@homeport/platform/server/jobs';
import { type DnsLease, DnsLedger, type RecordRequest, type SyncOutcome } from '../../application/dns-ledger.port';
import { DNS_JOB } from '../../../shared/application/job-names';
import type { CnameRecord, DnsState } from '../../domain/dns-record';
import { acquireDueLeases, acquireLeaseOfApp, recordOutcome, requestRecord } from './dns-rows';
import type { Queries } from '@homeport/platform/server/database';

const PAGE = 1_000;

/** The DNS ledger in PostgreSQL. */
export class PostgresDnsLedger extends DnsLedger {
  constructor(
    private readonly queries: Queries,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  async requestRecord(app: RecordRequest): Promise<DnsLease | undefined> {
    return this.queries.run((manager) => requestRecord(manager, app));
  }

  async withdrawRecord(appId: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.query('update apps.dns_records set app_id = null, changed_at = now() where app_id = $1', [appId]),
    );
  }

  async acquireLease(appId: string): Promise<DnsLease | undefined> {
    return this.queries.run((manager) => acquireLeaseOfApp(manager, appId));
  }

  async acquireDueLeases(limit: number): Promise<readonly DnsLease[]> {
    return this.queries.run((manager) => acquireDueLeases(manager, limit));
  }

  async recordOutcome(lease: DnsLease, outcome: SyncOutcome): Promise<DnsState | undefined> {
    return this.queries.run((manager) => recordOutcome(manager, lease, outcome));
  }

  async scheduleReconciliation(ms: number): Promise<void> {
    await this.jobs.enqueue(DNS_JOB, ms / 1_000);
  }

  async now(): Promise<Date> {
    const [{ now }] = await this.queries.run((manager) => manager.query<[{ now: Date }]>('select now()'));
    return now;
  }

  async filterKnown(subdomains: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.queries.run((manager) =>
      manager.query<{ subdomain: string }[]>('select subdomain from apps.dns_records where subdomain = any($1)', [
        subdomains,
      ]),
    );
    return new Set(rows.map(({ subdomain }) => subdomain));
  }

  async *settledNames(before: Date): AsyncIterable<readonly string[]> {
    for (let last = ''; ;) {
      const rows = await this.queries.run((manager) =>
        manager.query<{ subdomain: string }[]>(
          `select subdomain from apps.dns_records
           where subdomain > $1 and state = 'settled' and app_id is not null and claim is null and changed_at < $2
           order by subdomain limit ${PAGE}`,
          [last, before],
        ),
      );
      if (rows.length > 0) yield rows.map(({ subdomain }) => subdomain);
      if (rows.length < PAGE) return;
      last = (rows.at(-1) as { subdomain: string }).subdomain;
    }
  }

  async markDrifted(subdomains: readonly string[]): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `update apps.dns_records
         set state = 'pending', attempts = 0, next_attempt_at = now(), changed_at = now()
         where subdomain = any($1) and state = 'settled' and claim is null`,
        [subdomains],
      ),
    );
  }

  async adopt(records: readonly { readonly subdomain: string; readonly known: CnameRecord }[]): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `insert into apps.dns_records (subdomain, known_target, known_ttl, state, next_attempt_at)
         select subdomain, target, ttl, 'pending', now()
         from unnest($1::text[], $2::text[], $3::integer[]) as orphan (subdomain, target, ttl)
         on conflict do nothing`,
        [
          records.map(({ subdomain }) => subdomain),
          records.map(({ known }) => known.target),
          records.map(({ known }) => known.ttl),
        ],
      ),
    );
  }
}
