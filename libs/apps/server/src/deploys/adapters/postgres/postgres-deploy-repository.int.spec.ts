import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, createDatabase, migrate } from '@homeport/platform/server/database';
import { DatabaseUnavailable } from '@homeport/kernel';
import { JobQueue } from '@homeport/platform/server/jobs';
import { freshDatabase, suiteSize } from '@homeport/platform/server/testing';
import pg from 'pg';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import { DeployInterrupted, ActiveDeployNotDeletable, DeployNotFound } from '../../domain/deploys.errors';
import { previewLabel } from '@homeport/hosting/contracts';
import { appsDatabaseOptions } from '../../../testing/apps-database';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { branchAliasesContract } from '../../../testing/branch-aliases.contract';
import { blobLedgerContract } from '../../../testing/blob-ledger.contract';
import { deployActivationContract } from '../../../testing/deploy-activation.contract';
import { deployRepositoryContract } from '../../../testing/deploy-repository.contract';
import {
  deployedFile,
  DeployFixture,
  deployTo,
  newBlobDescriptor,
  type DeployRepositoryHarness,
  readyDeploy,
  filesOf,
} from '../../../testing/deploy-fixtures';
import { PostgresAppRepository } from '../../../registry/adapters/postgres/postgres-app-repository';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { PostgresBlobLedger } from '../../../blobs/adapters/postgres/postgres-blob-ledger';
import { PostgresDeployRepository } from './postgres-deploy-repository';

/** An archive may contain 20,000 files; they are stored in batches of 2,000. */
const FILES = suiteSize(2_500, 20_000);
const BROKEN = { code: 'aborted', message: 'The upload was aborted.' } as const;

describe('PostgresDeployRepository', () => {
  let opened: AppsDatabase;
  let database: Database;
  let jobs: JobQueue;
  const query = <T>(sql: string, values: unknown[] = []) => database.source.query<T>(sql, values);
  const open = (): DeployRepositoryHarness => ({
    apps: new PostgresAppRepository(database),
    registry: AppFixture.inPostgres(database, jobs),
    deploys: new PostgresDeployRepository(database, jobs),
    releases: new DeployFixture(new PostgresAppsUnitOfWork(database, jobs)),
    ledger: new PostgresBlobLedger(database),
    expireLease: (id) =>
      query(`update apps.deploys set lease_until = clock_timestamp() - interval '1 s' where id = $1`, [id]),
    ageBlobs: (ids, hours) =>
      query(`update apps.blobs set used_at = used_at - $2 * interval '1 hour' where id = any ($1)`, [ids, hours]),
  });
  const register = async (organization: string) => {
    const member = memberOf(organization);
    const { app } = await open().registry.register(member);
    return { member, app };
  };
  /** Resolves when a query waits for a lock. */
  const untilLockIsAwaited = async () => {
    for (let waiting = 0; waiting === 0;) {
      const locks = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      waiting = (await query<unknown[]>(locks)).length;
    }
  };

  beforeAll(async () => {
    opened = await openAppsDatabase();
    ({ database, jobs } = opened);
  });

  afterAll(() => opened.close());

  deployRepositoryContract(PostgresDeployRepository.name, open);
  branchAliasesContract('PostgresAliasRepository', open);
  deployActivationContract(PostgresDeployRepository.name, open);
  blobLedgerContract(PostgresBlobLedger.name, open);

  it('stores the files of a large archive', async () => {
    const { member, app } = await register('large');
    const descriptors = Array.from({ length: FILES }, newBlobDescriptor);
    const reserveAll = async () => {
      const batches = [];
      for (let start = 0; start < descriptors.length; start += 2_000) {
        batches.push(await open().ledger.reserve('large', descriptors.slice(start, start + 2_000)));
      }
      return { stored: batches.flatMap(({ stored }) => stored), missing: batches.flatMap(({ missing }) => missing) };
    };
    const { missing } = await reserveAll();
    for (let start = 0; start < missing.length; start += 2_000) {
      const some = missing.slice(start, start + 2_000);
      await open().ledger.markStored(some.map(({ id }) => ({ id, brSize: 1, gzipSize: 2 })));
    }
    const files = missing.map(({ id }, i) => deployedFile(`assets/chunk-${String(i).padStart(5, '0')}.js`, id));
    const ready = await deployTo(open(), member, app.id, { files });
    expect(ready).toMatchObject({ status: 'ready', fileCount: FILES });
    const stored: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await open().deploys.listFiles(ready.id, { limit: 1_000, ...(after !== undefined && { after }) });
      stored.push(...filesOf(page).map(({ path }) => path));
      if (page.end === undefined) break;
      after = page.end;
    }
    expect(stored).toEqual(files.map(({ path }) => path));
    // A second deploy of the same files: all blobs are known.
    await open().ageBlobs(
      missing.map(({ id }) => id),
      2,
    );
    const again = await reserveAll();
    expect([again.stored.length, again.missing.length]).toEqual([FILES, 0]);
    expect(await deployTo(open(), member, app.id, { files })).toMatchObject({ fileCount: FILES });
  });

  it('does not block a reservation while a deploy is being finished', async () => {
    const { member, app } = await register('patient');
    const descriptors = Array.from({ length: 3 }, newBlobDescriptor);
    const { missing } = await open().ledger.reserve('patient', descriptors);
    await open().ledger.markStored(missing.map(({ id }) => ({ id, brSize: undefined, gzipSize: undefined })));
    await open().ageBlobs(
      missing.map(({ id }) => id),
      2,
    );
    const { id } = await open().deploys.begin(member, app.id);
    const finishing = database.source.createQueryRunner();
    await finishing.startTransaction();
    await finishing.query(
      `insert into apps.deploy_files (deploy_id, path, size, content_type, digest, blob_id)
       select $1, id::text, 1, 'text/html', digest, id from apps.blobs where organization = 'patient'`,
      [id],
    );
    try {
      expect((await open().ledger.reserve('patient', descriptors)).missing).toEqual([]);
    } finally {
      await finishing.rollbackTransaction();
      await finishing.release();
    }
  });

  it('does not deadlock when an app is deleted while its uploads are failed as abandoned', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { member, app } = await register('circle');
      const begun = await Promise.all(Array.from({ length: 8 }, () => open().deploys.begin(member, app.id)));
      // The lease of a later upload expires earlier.
      for (const [i, { id }] of begun.toReversed().entries()) {
        await query(`update apps.deploys set lease_until = now() - $2 * interval '1 s' where id = $1`, [id, 10 - i]);
      }
      const [, , archived] = await Promise.all([
        open().deploys.failAbandoned(),
        open().deploys.failAbandoned(),
        open().registry.remove(member, app),
      ]);
      expect(archived).toBe(8);
    }
  });

  it('skips an abandoned deploy that another transaction has locked', async () => {
    const { member, app } = await register('busy');
    const [held, lost] = await Promise.all([1, 2].map(() => open().deploys.begin(member, app.id)));
    for (const { id } of [held!, lost!]) await open().expireLease(id);
    const holder = database.source.createQueryRunner();
    await holder.startTransaction();
    await holder.query('select 1 from apps.deploys where id = $1 for update', [held!.id]);
    try {
      await open().deploys.failAbandoned();
    } finally {
      await holder.rollbackTransaction();
      await holder.release();
    }
    expect(await open().deploys.find('busy', lost!.id)).toMatchObject({ status: 'failed' });
    await open().deploys.failAbandoned();
    expect(await open().deploys.find('busy', held!.id)).toMatchObject({ status: 'failed' });
  });

  /** Runs a call while another transaction holds a change that is not committed yet. */
  const overtaken = async <T>(change: string, id: string, call: () => Promise<T>): Promise<PromiseSettledResult<T>> => {
    const other = database.source.createQueryRunner();
    await other.startTransaction();
    await other.query(change, [id]);
    const outcome = Promise.allSettled([call()]);
    await untilLockIsAwaited();
    await other.commitTransaction();
    await other.release();
    return (await outcome)[0];
  };
  const DELETION = 'delete from apps.apps where id = $1';

  it('begins no deploy when the app is deleted concurrently', async () => {
    const { member, app } = await register('too-late');
    const outcome = await overtaken(DELETION, app.id, () => open().deploys.begin(member, app.id));
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(AppNotFound) });
    expect(await query('select 1 from apps.deploys where app_id = $1', [app.id])).toEqual([]);
  });

  it('finishes no deploy that is failed as abandoned concurrently', async () => {
    const { member, app } = await register('lost-meanwhile');
    const { id } = await open().deploys.begin(member, app.id);
    const loss = `update apps.deploys set status = 'failed', error = '{}', lease_until = null where id = $1`;
    const outcome = await overtaken(loss, id, () => open().releases.finish(member, id, readyDeploy()));
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DeployInterrupted) });
    expect(await open().deploys.find('lost-meanwhile', id)).toMatchObject({ status: 'failed' });
    expect(await open().apps.find('lost-meanwhile', app.id)).toMatchObject({ deployCount: 0, activeDeployId: null });
  });

  it('finishes no deploy when the app is deleted concurrently', async () => {
    const { member, app } = await register('overtaken');
    const { id } = await open().deploys.begin(member, app.id);
    const outcome = await overtaken(DELETION, app.id, () => open().releases.finish(member, id, readyDeploy()));
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DeployInterrupted) });
    expect(await query('select 1 from apps.deploy_files where deploy_id = $1', [id])).toEqual([]);
  });

  it('finishes no deploy that is deleted concurrently', async () => {
    const { member, app } = await register('deleted-meanwhile');
    const { id } = await open().deploys.begin(member, app.id);
    const deletion = `update apps.deploys set status = 'archived', archived_at = now(), deleted_at = now(), lease_until = null
      where id = $1`;
    const outcome = await overtaken(deletion, id, () => open().releases.finish(member, id, readyDeploy()));
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DeployInterrupted) });
    expect(await query('select 1 from apps.deploy_files where deploy_id = $1', [id])).toEqual([]);
  });

  it('deletes no deploy that is activated concurrently', async () => {
    const { member, app } = await register('activated-first');
    const [{ id }] = [await deployTo(open(), member, app.id), await deployTo(open(), member, app.id)];
    const activation = `update apps.apps set active_deploy_id = $1
      where id = (select app_id from apps.deploys where id = $1)`;
    const outcome = await overtaken(activation, id, () => open().releases.delete(member, id));
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ActiveDeployNotDeletable) });
    expect(await open().deploys.find('activated-first', id)).toMatchObject({ status: 'ready' });
  });

  it('activates no deploy that is deleted concurrently', async () => {
    const { member, app } = await register('deleted-first');
    const [{ id }] = [await deployTo(open(), member, app.id), await deployTo(open(), member, app.id)];
    const deletion = `with locked as (select id from apps.apps where id = (select app_id from apps.deploys where id = $1) for update)
      update apps.deploys set status = 'archived', archived_at = now(), deleted_at = now() where id = $1 and exists (select 1 from locked)`;
    const outcome = await overtaken(deletion, id, () => open().releases.activate(member, id));
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DeployNotFound) });
  });

  it('stores texts of uploads that `jsonb` would reject', async () => {
    const { member, app } = await register('unusual');
    const problem = (path: string) => ({ path, line: 1, reason: `Not understood: ${path}` });
    const { id } = await open().deploys.begin(member, app.id);
    await open().deploys.fail(id, { code: 'rejected', message: 'half \uD83D' }, [problem('a\0b'), problem('\uDE00')]);
    expect(await open().deploys.find('unusual', id)).toMatchObject({ error: { message: 'half \uFFFD' } });
    expect(await open().deploys.contentsOf(id)).toMatchObject({ problems: [{ path: 'a\uFFFDb' }, { path: '\uFFFD' }] });
    await deployTo(open(), member, app.id, { problems: [problem('a\0b'), problem('😀')] });
  });

  it('adds no second release for the active deploy, in any spelling of its id', async () => {
    const { member, app } = await register('again');
    const { id } = await deployTo(open(), member, app.id);
    await open().releases.activate(member, id.toUpperCase());
    expect(await query('select 1 from apps.releases where app_id = $1', [app.id])).toHaveLength(1);
  });

  it('removes blobs of a large number of old deploys', async () => {
    const { member, app } = await register('faithful');
    const descriptors = Array.from({ length: suiteSize(100, 500) }, newBlobDescriptor);
    const { missing } = await open().ledger.reserve('faithful', descriptors);
    const files = missing.map(({ id }) => deployedFile(`${id}.js`, id));
    const { id } = await deployTo(open(), member, app.id, { files });
    for (let i = 0; i < 10; i += 1) {
      await query(
        `with copies as (
           insert into apps.deploys (app_id, organization, status, created_by, ready_at)
           select app_id, organization, 'ready', 'ada', now() from apps.deploys, generate_series(1, 30)
           where id = $1 returning id)
         insert into apps.deploy_files (deploy_id, path, size, content_type, digest, blob_id)
         select c.id, f.path, f.size, f.content_type, f.digest, f.blob_id
         from copies c, apps.deploy_files f where f.deploy_id = $1`,
        [id],
      );
    }
    await open().deploys.archiveBeyond(20);
    const [{ linked }] = await query<[{ linked: string }]>(
      'select count(distinct deploy_id) as linked from apps.deploy_files where blob_id = $1',
      [missing[0]!.id],
    );
    expect(Number(linked)).toBeLessThanOrEqual(22);
    await open().registry.remove(member, app);
    await open().ageBlobs(
      missing.map((blob) => blob.id),
      25,
    );
    for (let unused; (unused = await open().ledger.claimUnused(500)).length > 0;)
      await open().ledger.deleteEntries(unused);
    expect(await query(`select 1 from apps.blobs where organization = 'faithful'`)).toEqual([]);
  });

  it('schedules the job that fails an abandoned upload', async () => {
    const jobCalls: [string, number][] = [];
    const observed = new JobQueue({ database: database.source });
    observed.enqueue = async (...call) => void jobCalls.push(call);
    const deploys = new PostgresDeployRepository(database, observed);
    const { member, app } = await register('observed');
    const { id } = await deploys.begin(member, app.id);
    await deploys.renew(id);
    expect(jobCalls).toEqual([
      ['apps.deploys', 32],
      ['apps.deploys', 32],
    ]);
  });

  it('writes audit events for releases', async () => {
    const { member, app } = await register('audited');
    const a = await deployTo(open(), member, app.id);
    const b = await deployTo(open(), member, app.id, { activation: 'never' });
    await open().releases.activate(member, b.id);
    await open().releases.activate(member, b.id);
    await open().releases.rollBack(member, app.id);
    for (let times = 0; times < 2; times += 1) await open().releases.delete(member, b.id);
    await expect(open().releases.delete(member, a.id)).rejects.toBeInstanceOf(ActiveDeployNotDeletable);
    const events = await query(
      `select action, target, detail ->> 'deploy' as deploy from platform.audit_events
       where organization = 'audited' and action <> 'apps.registered' order by id`,
    );
    const event = (action: string, deploy: string) => ({ action: `apps.${action}`, target: app.id, deploy });
    expect(events).toEqual([
      event('deployed', a.id),
      event('activated', a.id),
      event('deployed', b.id),
      event('activated', b.id),
      event('rolled-back', a.id),
      event('deploy-deleted', b.id),
    ]);
  });

  it('notifies the edges of changed sites only', async () => {
    const client = new pg.Client({ connectionString: opened.url });
    await client.connect();
    const received: string[] = [];
    client.on('notification', ({ payload }) => received.push(payload ?? ''));
    await client.query('listen homeport_sites');
    /** Notifications arrive before the result of the next query. */
    const notifications = async () => {
      await client.query('select 1');
      return received.splice(0).toSorted();
    };
    const { member, app } = await register('listened-to');
    expect(await notifications()).toEqual([app.subdomain]);
    const { deploys, releases } = open();
    const a = await deploys.begin(member, app.id);
    await deploys.beginProcessing(a.id);
    await deploys.renew(a.id);
    expect(await notifications()).toEqual([]);
    await releases.finish(member, a.id, readyDeploy({ activation: 'never' }));
    expect(await notifications()).toEqual([previewLabel(a.id)]);
    await releases.activate(member, a.id);
    expect(await notifications()).toEqual([app.subdomain]);
    await releases.activate(member, a.id);
    const failed = await deploys.begin(member, app.id);
    await deploys.fail(failed.id, BROKEN, []);
    await open().registry.acquireDnsLease(app);
    expect(await notifications()).toEqual([]);
    const b = await deployTo(open(), member, app.id);
    expect(await notifications()).toEqual([app.subdomain, previewLabel(b.id)].toSorted());
    const c = await deployTo(open(), member, app.id);
    await notifications();
    for (let times = 0; times < 2; times += 1) {
      await releases.rollBack(member, app.id);
      expect(await notifications()).toEqual([app.subdomain]);
    }
    const hidden = await deployTo(open(), member, app.id, { activation: 'never' });
    await notifications();
    await releases.delete(member, hidden.id);
    expect(await notifications()).toEqual([previewLabel(hidden.id)]);
    await releases.delete(member, c.id);
    expect(await notifications()).toEqual([app.subdomain, previewLabel(c.id)].toSorted());
    await deploys.removeDeleted();
    expect(await notifications()).toEqual([]);
    const d = await deployTo(open(), member, app.id);
    await releases.activate(member, a.id);
    await notifications();
    await deploys.archiveBeyond(1);
    expect(await notifications()).toContain(previewLabel(b.id));
    await open().registry.remove(member, app);
    expect(await notifications()).toEqual([app.subdomain, previewLabel(a.id), previewLabel(d.id)].toSorted());
    await client.end();
  });

  it('reports an unavailable database in every method', async () => {
    const doomed = await freshDatabase();
    await migrate(appsDatabaseOptions(doomed.url));
    const unavailable = await createDatabase(appsDatabaseOptions(doomed.url)).open();
    const queue = new JobQueue({ database: unavailable.source });
    const [deploys, ledger] = [new PostgresDeployRepository(unavailable, queue), new PostgresBlobLedger(unavailable)];
    const releases = new DeployFixture(new PostgresAppsUnitOfWork(unavailable, queue));
    const member = memberOf('o');
    const { app } = await AppFixture.inPostgres(unavailable, queue).register(member);
    const { id } = await deploys.begin(member, app.id);
    const { missing } = await ledger.reserve('o', [newBlobDescriptor()]);
    await doomed.drop();
    for (const call of [
      () => deploys.begin(member, app.id),
      () => deploys.renew(id),
      () => deploys.beginProcessing(id),
      () => deploys.fail(id, BROKEN, []),
      () => releases.finish(member, id, readyDeploy()),
      () => deploys.claimCompletion(id),
      () => deploys.addFiles(id, readyDeploy().files),
      () => deploys.complete(id, { ...readyDeploy(), isHeldBack: false }),
      () => deploys.lock('o', id),
      () => deploys.withdraw('o', id),
      () => deploys.list('o', app.id, { limit: 1 }),
      () => deploys.find('o', id),
      () => deploys.contentsOf(id),
      () => deploys.listFiles(id, { limit: 1 }),
      () => releases.delete(member, id),
      () => deploys.removeDeleted(),
      () => releases.activate(member, id),
      () => releases.rollBack(member, app.id),
      () => deploys.failAbandoned(),
      () => deploys.archiveBeyond(1),
      () => deploys.archiveAll(app.id),
      () => ledger.reserve('o', [newBlobDescriptor()]),
      () => ledger.markStored([{ id, brSize: undefined, gzipSize: undefined }]),
      () => ledger.claimUnused(1),
      () => ledger.deleteEntries(missing),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(DatabaseUnavailable);
    }
    await unavailable.close();
  });
});
