import type { Member } from '@homeport/identity/server';
import { type Database, type JobQueue, recordAudit, violatesConstraint } from '@homeport/platform/server';
import type { EntityManager } from 'typeorm';
import {
  type AppPage,
  AppRepository,
  type PageRequest,
  type Registration,
} from '../../application/registry/app-repository.port';
import { type DnsLease, retryDelayOf, type SyncOutcome } from '../../application/dns/dns-ledger.port';
import { DNS_JOB } from '../../application/maintenance-jobs';
import type { AppRecord, NewApp } from '../../domain/registry/app-record';
import type { NameQuarantine } from '../../domain/registry/former-owner';
import { AppQuotaExceeded, SubdomainTaken } from '../../domain/registry/apps.errors';
import { REQUEST_LEASE_MS } from '../../domain/dns/dns-record';
import {
  ADDED_COLUMNS,
  type AddedRow,
  APP_COLUMNS,
  toAppRecord,
  APPS,
  type AppRow,
  PENDING_DNS,
  toListPosition,
} from './app-rows';
import { acquireLeaseOfApp, recordOutcome, requestRecord } from './dns-rows';
import { deleteApp, purgeFormerOwners, isInQuarantine, transferName } from './former-owners';
import { UUID } from './uuid';

/** Maximum time from the call to the lease. */
const MARGIN_SECONDS = 2;
/** No deployment has more database connections, so more registrations cannot run at the same time. */
const MAX_CONCURRENT_REGISTRATIONS = 200;

/** The app repository in PostgreSQL. */
export class PostgresAppRepository extends AppRepository {
  /**
   * @param jobs schedules the repair of DNS records after a crash.
   */
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly quarantine: NameQuarantine,
  ) {
    super();
  }

  async register(
    member: Member,
    app: NewApp,
    { quota, idempotencyKey }: { quota: number; idempotencyKey?: string },
  ): Promise<Registration> {
    const { organization } = member;
    return this.database.transaction(async (manager) => {
      await this.#scheduleRecovery();
      await this.#assertQuota(manager, organization, quota);
      const added = await this.#insert(manager, member, app);
      const { id } = added;
      // Runs after the insert, which has waited for a concurrent deletion of the name that may have left a DNS record.
      const { isOpen, lease } = await requestRecord(manager, { id, organization, subdomain: app.subdomain });
      const nameRequest = { subdomain: app.subdomain, organization, quarantine: this.quarantine };
      if (!isOpen || !(await transferName(manager, id, nameRequest))) throw new SubdomainTaken(app.subdomain);
      if (idempotencyKey !== undefined) {
        await manager.query('update apps.idempotency_keys set app_id = $3 where organization = $1 and key = $2', [
          organization,
          idempotencyKey,
          id,
        ]);
      }
      await recordAudit(manager, auditOf(member, 'apps.registered', { ...app, id }));
      return { app: toAppRecord({ ...added, ...PENDING_DNS }), ...(lease && { lease }) };
    });
  }

  async list(organization: string, page?: PageRequest): Promise<AppPage> {
    const after = page?.after && [page.after.createdAtMicros, page.after.id];
    const rows = await this.database.run((manager) =>
      manager.query<AppRow[]>(
        `select ${APP_COLUMNS} from ${APPS}
         where a.organization = $1
           ${after ? `and (a.created_at, a.id) < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)` : ''}
         order by a.created_at desc, a.id desc ${page ? `limit ${page.limit + 1}` : ''}`,
        [organization, ...(after ?? [])],
      ),
    );
    const shown = page ? rows.slice(0, page.limit) : rows;
    const last = shown.at(-1);
    return { apps: shown.map(toAppRecord), ...(last && shown.length < rows.length && { end: toListPosition(last) }) };
  }

  async find(organization: string, id: string): Promise<AppRecord | undefined> {
    if (!UUID.test(id)) return undefined;
    return this.database.run((manager) => this.#find(manager, organization, id));
  }

  async isTaken(organization: string, subdomain: string): Promise<boolean> {
    return this.database.run(async (manager) => {
      const [found] = await manager.query<unknown[]>(
        `select 1 from apps.apps where subdomain = $1
         union all select 1 from apps.dns_records where subdomain = $1 and organization <> $2`,
        [subdomain, organization],
      );
      const nameRequest = { subdomain, organization, quarantine: this.quarantine };
      return found !== undefined || (await isInQuarantine(manager, nameRequest));
    });
  }

  async purgeFormerOwners(): Promise<void> {
    await this.database.run((manager) => purgeFormerOwners(manager, this.quarantine.days));
  }

  async acquireDnsLease({ id }: AppRecord): Promise<DnsLease | undefined> {
    return this.database.run(async (manager) => {
      await this.#scheduleRecovery();
      return acquireLeaseOfApp(manager, id);
    });
  }

  async acquireDnsLeaseForRetry(member: Member, app: AppRecord): Promise<DnsLease | undefined> {
    return this.database.transaction(async (manager) => {
      await this.#scheduleRecovery();
      const lease = await acquireLeaseOfApp(manager, app.id);
      if (lease) await recordAudit(manager, auditOf(member, 'apps.dns-retried', app));
      return lease;
    });
  }

  async remove(
    member: Member,
    app: AppRecord,
    work: { lease: DnsLease; outcome: SyncOutcome } | undefined,
  ): Promise<number | undefined> {
    const afterMs = (work && retryDelayOf(work.outcome)) ?? REQUEST_LEASE_MS;
    return this.database.transaction(async (manager) => {
      if (work?.outcome.state !== 'settled') await this.jobs.enqueue(DNS_JOB, afterMs / 1_000 + MARGIN_SECONDS);
      if (!(await deleteApp(manager, app.id, member.organization))) return undefined;
      await manager.query('update apps.dns_records set app_id = null, changed_at = now() where app_id = $1', [app.id]);
      if (work) await recordOutcome(manager, { ...work.lease, appId: undefined }, work.outcome);
      const [, archived] = await manager.query<[unknown, number]>(
        `update apps.deploys set status = 'archived', archived_at = clock_timestamp(), lease_until = null
         where app_id = $1 and status <> 'archived'`,
        [app.id],
      );
      await recordAudit(manager, auditOf(member, 'apps.deleted', app));
      return archived;
    });
  }

  /**
   * Schedules a job for the end of the lease that is acquired next, in case this process crashes. It runs before the
   * lease is acquired: a crash in between causes only one unnecessary job.
   */
  #scheduleRecovery(): Promise<void> {
    return this.jobs.enqueue(DNS_JOB, REQUEST_LEASE_MS / 1_000 + MARGIN_SECONDS);
  }

  /** Serializes the registrations of an organization near its quota, so that concurrent ones do not exceed it. */
  async #assertQuota(manager: EntityManager, organization: string, quota: number): Promise<void> {
    if ((await this.#count(manager, organization)) < quota - MAX_CONCURRENT_REGISTRATIONS) return;
    await manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`apps of ${organization}`]);
    if ((await this.#count(manager, organization)) >= quota) throw new AppQuotaExceeded(quota);
  }

  async #count(manager: EntityManager, organization: string): Promise<number> {
    const [{ count }] = await manager.query<[{ count: string }]>(
      'select count(*) from apps.apps where organization = $1',
      [organization],
    );
    return Number(count);
  }

  async #insert(manager: EntityManager, member: Member, { name, subdomain, type }: NewApp): Promise<AddedRow> {
    try {
      const [row] = await manager.query<[AddedRow]>(
        `insert into apps.apps (organization, name, subdomain, type, created_by)
         values ($1, $2, $3, $4, $5) returning ${ADDED_COLUMNS}`,
        [member.organization, name, subdomain, type, member.subject],
      );
      return row;
    } catch (error) {
      throw violatesConstraint(error, 'apps_subdomain_key') ? new SubdomainTaken(subdomain) : error;
    }
  }

  async #find(manager: EntityManager, organization: string, id: string): Promise<AppRecord | undefined> {
    const [row] = await manager.query<AppRow[]>(
      `select ${APP_COLUMNS} from ${APPS}
       where a.organization = $1 and a.id = $2`,
      [organization, id],
    );
    return row && toAppRecord(row);
  }
}

function auditOf(member: Member, action: string, { id, name, subdomain }: NewApp & { readonly id: string }) {
  return { organization: member.organization, actor: member, action, target: id, detail: { name, subdomain } };
}
