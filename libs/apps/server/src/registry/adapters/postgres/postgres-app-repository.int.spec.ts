import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Database, createDatabase, migrate } from '@homeport/platform/server/database';
import { DatabaseUnavailable } from '@homeport/kernel';
import { JobQueue } from '@homeport/platform/server/jobs';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import type { Registration } from '../../application/register-app';
import type { DnsLease } from '../../../dns/application/dns-ledger.port';
import { SubdomainTaken } from '../../domain/apps.errors';
import { sendDeadline, REQUEST_LEASE_MS } from '../../../dns/domain/dns-record';
import { appsDatabaseOptions } from '../../../testing/apps-database';
import { AppFixture, type AppFixtureOptions, memberOf, newApp } from '../../../testing/app-fixture';
import { appRepositoryContract } from '../../../testing/app-repository.contract';
import { dnsLedgerContract } from '../../../testing/dns-ledger.contract';
import { idempotencyKeysContract } from '../../../testing/idempotency-keys.contract';
import { PostgresAppRepository } from './postgres-app-repository';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { PostgresDnsLedger } from '../../../dns/adapters/postgres/postgres-dns-ledger';
import { PostgresIdempotencyKeys } from './postgres-idempotency-keys';
import { PostgresFormerOwnerRepository } from './postgres-former-owner-repository';

describe('PostgresAppRepository', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let jobs: JobQueue;
  const query = <T>(sql: string, values: unknown[] = []) => database.source.query<T>(sql, values);
  const open = (options?: AppFixtureOptions) => ({
    unitOfWork: new PostgresAppsUnitOfWork(database, jobs),
    apps: new PostgresAppRepository(database),
    formerOwners: new PostgresFormerOwnerRepository(database),
    ledger: new PostgresDnsLedger(database, jobs),
    registry: AppFixture.inPostgres(database, jobs, options),
    releasedDaysAgo: async (subdomain: string, days: number) => {
      await query(
        'update apps.former_owners set released_at = released_at - make_interval(days => $2) where subdomain = $1',
        [subdomain, days],
      );
    },
    auditedActions: async (organization: string) => {
      const events = await query<{ action: string }[]>(
        'select action from platform.audit_events where organization = $1 order by id',
        [organization],
      );
      return events.map(({ action }) => action);
    },
  });

  beforeAll(async () => {
    fresh = await freshDatabase();
    // Two instances start concurrently; the migrations run once.
    await Promise.all([migrate(appsDatabaseOptions(fresh.url)), migrate(appsDatabaseOptions(fresh.url))]);
    database = await createDatabase(appsDatabaseOptions(fresh.url)).open();
    jobs = new JobQueue({ database: database.source });
  });

  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  appRepositoryContract(PostgresAppRepository.name, open);
  dnsLedgerContract(PostgresDnsLedger.name, open);
  idempotencyKeysContract(PostgresIdempotencyKeys.name, () => new PostgresIdempotencyKeys(database));

  const insert = (changes: Record<string, unknown>) => {
    const row = { organization: 'o', name: 'n', subdomain: 'good', type: 'static', created_by: 'ada', ...changes };
    const names = Object.keys(row);
    const placeholders = names.map((_, i) => `$${i + 1}`);
    return query(`insert into apps.apps (${names.join(', ')}) values (${placeholders.join(', ')})`, Object.values(row));
  };

  it('relies on a unique constraint for subdomains', async () => {
    await insert({ subdomain: 'unique-one' });
    await expect(insert({ subdomain: 'unique-one', organization: 'other' })).rejects.toMatchObject({ code: '23505' });
  });

  it.each([
    { subdomain: '-ab' },
    { subdomain: 'ab-' },
    { subdomain: 'a' },
    { subdomain: 'A-b' },
    { subdomain: 'a.b' },
    { subdomain: 'x'.repeat(64) },
    { name: '' },
    { name: 'x'.repeat(201) },
    { type: 'spa' },
    { deploy_count: -1 },
  ])('relies on a check constraint against %j', async (changes) => {
    await expect(insert({ subdomain: 'checked-row', ...changes })).rejects.toMatchObject({ code: '23514' });
  });

  it('registers an app with eight statements', async () => {
    const log = jest.spyOn(database.source.logger, 'logQuery');
    await open().registry.register(memberOf('measured'));
    const statements = log.mock.calls.map(([statement]) => statement.trim().split(/\s/)[0]?.toLowerCase());
    log.mockRestore();
    expect(statements).toEqual(['start', 'select', 'insert', 'select', 'insert', 'insert', 'select', 'commit']);
  });

  it('reports only a taken name as taken', async () => {
    const app = { ...newApp(), name: 'x'.repeat(201) };
    await expect(open().registry.register(memberOf('o'), app)).rejects.not.toBeInstanceOf(SubdomainTaken);
  });

  it('rejects a registration by another organization while a deletion leaves a dangling record', async () => {
    const { app } = await open().registry.register(memberOf('former'), newApp());
    const deletion = database.source.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query('delete from apps.apps where id = $1', [app.id]);
    await deletion.query('update apps.dns_records set app_id = null where subdomain = $1', [app.subdomain]);
    const stranger = open().registry.register(memberOf('stranger'), app);
    const refusal = expect(stranger).rejects.toBeInstanceOf(SubdomainTaken);
    // Wait until the insert waits for the deletion: the test is about this moment.
    for (let waiting = 0; waiting === 0;) {
      const [{ count }] = await query<[{ count: string }]>(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      waiting = Number(count);
    }
    await deletion.commitTransaction();
    await deletion.release();
    await refusal;
    expect(await query('select organization from apps.dns_records where subdomain = $1', [app.subdomain])).toEqual([
      { organization: 'former' },
    ]);
  });

  it('schedules a job for every lease, and for every record that could not be removed', async () => {
    const delays: number[] = [];
    const observed = new JobQueue({ database: database.source });
    observed.enqueue = async (_name, afterSeconds) => void delays.push(afterSeconds);
    const registry = AppFixture.inPostgres(database, observed);
    const member = memberOf('looked-after');
    const made: Registration[] = [];
    for (let i = 0; i < 3; i += 1) made.push(await registry.register(member));
    const [removed, dangling, leased] = made as [Registration, Registration, Registration];
    expect(delays.splice(0)).toEqual([10, 10, 10]);
    await registry.acquireDnsLease(removed.app);
    await registry.acquireDnsLeaseForRetry(member, removed.app);
    expect(delays.splice(0)).toEqual([10, 10]);
    const leaseOf = ({ lease }: Registration) => lease as NonNullable<typeof lease>;
    await registry.remove(member, removed.app, {
      lease: leaseOf(removed),
      outcome: { state: 'settled', record: undefined },
    });
    expect(delays.splice(0)).toEqual([]);
    const failed = { state: 'failed', error: 'timeout', afterMs: 60_000 } as const;
    await registry.remove(member, dangling.app, { lease: leaseOf(dangling), outcome: failed });
    await registry.remove(member, leased.app);
    expect(delays).toEqual([62, 10]);
  });

  it('gives a lease its full duration after the transaction waited for others', async () => {
    const { app } = await open().registry.register(memberOf('waited-for'), newApp());
    const deletion = database.source.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query('delete from apps.apps where id = $1', [app.id]);
    const waiting = open().registry.register(memberOf('waited-for'), app);
    await deletion.query('select pg_sleep(0.5)');
    await deletion.query('delete from apps.dns_records where subdomain = $1', [app.subdomain]);
    await deletion.commitTransaction();
    await deletion.release();
    const { lease } = await waiting;
    const [{ left }] = await query<[{ left: string }]>(
      `select extract(epoch from next_attempt_at - clock_timestamp()) * 1000 as left
       from apps.dns_records where subdomain = $1`,
      [app.subdomain],
    );
    const elapsed = sendDeadline(performance.now(), REQUEST_LEASE_MS) - (lease?.sendDeadline ?? 0);
    expect(Number(left)).toBeGreaterThanOrEqual(REQUEST_LEASE_MS - elapsed);
  });

  it('takes over an expired lease, and quarantines the name', async () => {
    const member = memberOf('taken-over');
    const { app, lease } = await open().registry.register(member, newApp());
    await query(`update apps.dns_records set next_attempt_at = now() where subdomain = $1`, [app.subdomain]);
    const next = await open().registry.acquireDnsLease(app);
    expect(next).toMatchObject({ minTtl: 61 });
    if (!lease) throw new Error('a new name must have a lease');
    await open().ledger.recordOutcome(lease, { state: 'settled', record: { target: 'late.example', ttl: 60 } });
    expect(await open().apps.find('taken-over', app.id)).toMatchObject({ dns: { state: 'pending' } });
  });

  it('checks a name again when its quarantine ends', async () => {
    const member = memberOf('doubtful');
    const rowOf = async (subdomain: string) =>
      (await query('select next_attempt_at, doubted_until, least_ttl from apps.dns_records where subdomain = $1', [
        subdomain,
      ])) as readonly { next_attempt_at: Date | null; doubted_until: Date | null; least_ttl: number | null }[];
    const endQuarantine = (subdomain: string) =>
      query('update apps.dns_records set doubted_until = now(), next_attempt_at = now() where subdomain = $1', [
        subdomain,
      ]);
    const settled = { state: 'settled', record: { target: 'edge.example', ttl: 60 } } as const;
    const unanswered = { state: 'failed', error: 'timeout', afterMs: 60_000 } as const;
    const { app, lease } = await open().registry.register(member, newApp());
    await open().ledger.recordOutcome(lease as DnsLease, unanswered);
    await open().ledger.recordOutcome((await open().registry.acquireDnsLease(app)) as DnsLease, settled);
    const [quarantined] = await rowOf(app.subdomain);
    expect(quarantined?.next_attempt_at).toEqual(quarantined?.doubted_until);
    expect(quarantined?.doubted_until?.getTime()).toBeGreaterThan((await open().ledger.now()).getTime() + 290_000);
    await endQuarantine(app.subdomain);
    await open().ledger.recordOutcome((await open().registry.acquireDnsLease(app)) as DnsLease, settled);
    expect(await rowOf(app.subdomain)).toEqual([{ next_attempt_at: null, doubted_until: null, least_ttl: null }]);

    await open().ledger.markDrifted([app.subdomain]);
    const removal = (await open().registry.acquireDnsLease(app)) as DnsLease;
    await open().registry.remove(member, app, { lease: removal, outcome: unanswered });
    await endQuarantine(app.subdomain);
    const due = (await open().ledger.acquireDueLeases(1_000)).find(({ subdomain }) => subdomain === app.subdomain);
    await open().ledger.recordOutcome(due as DnsLease, { state: 'settled', record: undefined });
    expect(await rowOf(app.subdomain)).toEqual([]);
  });

  it('writes audit events that cannot be changed', async () => {
    const member = memberOf('audited');
    const { app, lease } = await open().registry.register(member, newApp());
    if (lease) await open().ledger.recordOutcome(lease, { state: 'settled', record: undefined });
    const retry = await open().registry.acquireDnsLeaseForRetry(member, app);
    if (retry) await open().ledger.recordOutcome(retry, { state: 'settled', record: undefined });
    await open().registry.remove(member, app);
    const events = await query<object[]>(
      'select issuer, subject, action, target, detail from platform.audit_events where organization = $1 order by id',
      ['audited'],
    );
    const event = {
      issuer: member.issuer,
      subject: member.subject,
      target: app.id,
      detail: { name: app.name, subdomain: app.subdomain },
    };
    expect(events).toEqual(
      ['apps.registered', 'apps.dns-retried', 'apps.deleted'].map((action) => ({ ...event, action })),
    );
    for (const change of [
      'update platform.audit_events set subject = $1',
      'delete from platform.audit_events where subject <> $1',
    ]) {
      await expect(query(change, ['nobody'])).rejects.toThrow('never changed');
    }
  });

  it('resumes a registration whose first request was interrupted', async () => {
    const keys = new PostgresIdempotencyKeys(database);
    const use = { organization: 'o', key: 'broken-off', fingerprint: 'A' };
    await keys.begin(use);
    const { app } = await open().registry.register(memberOf('o'), newApp(), use.key);
    expect(await keys.begin(use)).toEqual({ kind: 'running' });
    await query(`update apps.idempotency_keys set locked_until = now() - interval '1 s' where key = $1`, [use.key]);
    expect(await keys.begin(use)).toEqual({ kind: 'unfinished', appId: app.id });
    expect(await keys.begin(use)).toEqual({ kind: 'running' });
    // A key that is linked to an app is not released.
    await keys.release(use);
    expect(await keys.begin(use)).toEqual({ kind: 'running' });
  });

  it('stores no rejection for a request whose app was registered by a repeated request', async () => {
    const keys = new PostgresIdempotencyKeys(database);
    const use = { organization: 'o', key: 'overtaken', fingerprint: 'A' };
    await keys.begin(use);
    const { app } = await open().registry.register(memberOf('o'), newApp(), use.key);
    await keys.finish(use, { status: 409, body: { code: 'apps.subdomain-taken' } });
    expect(await keys.begin(use)).toEqual({ kind: 'running' });
    await keys.finish(use, { status: 201, body: { id: app.id } });
    expect(await keys.begin(use)).toMatchObject({ kind: 'completed', response: { status: 201 } });
  });

  it('removes keys after a day', async () => {
    const keys = new PostgresIdempotencyKeys(database);
    const uses = ['aged', 'older'].map((key) => ({ organization: 'o', key, fingerprint: 'A' }));
    for (const use of uses) await keys.begin(use);
    await query(`update apps.idempotency_keys set created_at = now() - interval '25 h' where key in ('aged', 'older')`);
    expect(await keys.begin({ ...uses[0], fingerprint: 'B' } as (typeof uses)[0])).toEqual({ kind: 'new' });
    await keys.removeExpired();
    expect(await query(`select key from apps.idempotency_keys where key in ('aged', 'older')`)).toEqual([
      { key: 'aged' },
    ]);
  });

  it('reports an unavailable database in every method', async () => {
    const doomed = await freshDatabase();
    await migrate(appsDatabaseOptions(doomed.url));
    const dropped = await createDatabase(appsDatabaseOptions(doomed.url)).open();
    const queue = new JobQueue({ database: dropped.source });
    const [apps, ledger] = [new PostgresAppRepository(dropped), new PostgresDnsLedger(dropped, queue)];
    const [formerOwners, keys] = [new PostgresFormerOwnerRepository(dropped), new PostgresIdempotencyKeys(dropped)];
    const registry = AppFixture.inPostgres(dropped, queue);
    const member = memberOf('o');
    const { app, lease } = await registry.register(member);
    const use = { organization: 'o', key: 'k', fingerprint: 'A' };
    await doomed.drop();
    for (const call of [
      () => registry.register(member, app),
      () => apps.count('o'),
      () => apps.list('o'),
      () => apps.find('o', app.id),
      () => apps.hasSubdomain(app.subdomain),
      () => apps.update(app.id, { deployCount: 1 }),
      () => apps.remove('o', app.id),
      () => formerOwners.historyOf(app.subdomain, 1),
      () => formerOwners.add({ subdomain: app.subdomain, organization: 'o', clearsDataUntil: undefined }),
      () => formerOwners.remove(app.subdomain),
      () => registry.isTaken('o', app.subdomain),
      () => registry.purgeFormerOwners(),
      () => registry.acquireDnsLease(app),
      () => registry.acquireDnsLeaseForRetry(member, app),
      () => registry.remove(member, app),
      () => ledger.requestRecord(app),
      () => ledger.withdrawRecord(app.id),
      () => ledger.acquireLease(app.id),
      () => ledger.acquireDueLeases(1),
      () => ledger.recordOutcome(lease as NonNullable<typeof lease>, { state: 'settled', record: undefined }),
      () => ledger.now(),
      () => ledger.filterKnown(['a']),
      () => ledger.markDrifted(['a']),
      () => ledger.adopt([]),
      () => keys.begin(use),
      () => keys.linkApp('o', 'k', app.id),
      () => keys.finish(use, { status: 201, body: {} }),
      () => keys.release(use),
      () => keys.removeExpired(),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(DatabaseUnavailable);
    }
    await dropped.close();
  });
});
