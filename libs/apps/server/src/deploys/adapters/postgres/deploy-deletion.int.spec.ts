import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { deployedFile, DeployFixture, deployTo, newBlobDescriptor } from '../../../testing/deploy-fixtures';
import { removeDeleted } from './deploy-deletion';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { PostgresBlobLedger } from '../../../blobs/adapters/postgres/postgres-blob-ledger';
import { PostgresDeployRepository } from './postgres-deploy-repository';

describe('Deleted deploys in PostgreSQL', () => {
  let opened: AppsDatabase;
  let database: Database;
  let deploys: PostgresDeployRepository;
  let releases: DeployFixture;
  let ledger: PostgresBlobLedger;
  const query = <T>(sql: string, values: unknown[] = []) => database.source.query<T>(sql, values);

  beforeAll(async () => {
    opened = await openAppsDatabase();
    const { jobs } = opened;
    ({ database } = opened);
    [deploys, ledger] = [new PostgresDeployRepository(database, jobs), new PostgresBlobLedger(database)];
    releases = new DeployFixture(new PostgresAppsUnitOfWork(database, jobs));
  });

  afterAll(() => opened.close());

  /** Runs the clean-up of blobs. @returns the ids of the removed ones. */
  const collected = async () => {
    const ids: string[] = [];
    for (let some; (some = await ledger.claimUnused(500)).length > 0; await ledger.deleteEntries(some)) {
      ids.push(...some.map(({ id }) => id));
    }
    return ids;
  };

  it('lose their files, whose blobs are unused from then on', async () => {
    const member = memberOf('withdrawn');
    const jobs = new JobQueue({ database: database.source });
    const { app } = await AppFixture.inPostgres(database, jobs).register(member);
    // More files than one statement removes.
    const { missing } = await ledger.reserve('withdrawn', Array.from({ length: 2_100 }, newBlobDescriptor));
    await ledger.markStored(missing.map(({ id }) => ({ id, brSize: undefined, gzipSize: undefined })));
    const [shared, ...own] = missing.map((blob) => blob.id) as [string, ...string[]];
    const files = (ids: readonly string[]) => ids.map((id) => deployedFile(`${id}.js`, id));
    const { id } = await deployTo({ deploys, releases }, member, app.id, { files: files([shared, ...own]) });
    await deployTo({ deploys, releases }, member, app.id, { files: files([shared]) });
    await query(`update apps.blobs set used_at = now() - interval '2 days'`);
    await releases.delete(member, id);
    expect(await deploys.removeDeleted()).toBe(1);
    for (const rows of ['deploys where id', 'deploy_files where deploy_id', 'releases where deploy_id']) {
      expect(await query(`select 1 from apps.${rows} = $1`, [id])).toEqual([]);
    }
    expect(await deploys.removeDeleted()).toBe(0);
    expect(await collected()).toEqual([]);
    await query(`update apps.blobs set used_at = now() - interval '25 hours'`);
    expect((await collected()).toSorted()).toEqual(own.toSorted());
  });

  /** Deleted deploys of a new organization, in the order of their deletion. */
  const deletedDeploys = async (organization: string, count: number) => {
    const member = memberOf(organization);
    const jobs = new JobQueue({ database: database.source });
    const { app } = await AppFixture.inPostgres(database, jobs).register(member);
    const ids: string[] = [];
    for (let i = 0; i <= count; i += 1) ids.push((await deployTo({ deploys, releases }, member, app.id)).id);
    ids.pop();
    for (const id of ids) await releases.delete(member, id);
    return ids;
  };
  const remaining = async (ids: readonly string[]) =>
    (await query<{ id: string }[]>('select id from apps.deploys where id = any($1) order by deleted_at', [ids])).map(
      ({ id }) => id,
    );

  it('are removed by several runs when the time budget of one is too small', async () => {
    const ids = await deletedDeploys('many', 3);
    let time = 0;
    // The time is read at the start and before each deploy.
    expect(await removeDeleted(database, () => (time += 25_000))).toBe(2);
    expect(await remaining(ids)).toEqual(ids.slice(2));
    expect(await removeDeleted(database, () => 0)).toBe(1);
    expect(await remaining(ids)).toEqual([]);
  });

  it('are removed even if one of them cannot be', async () => {
    const ids = await deletedDeploys('stuck', 2);
    await query(`create table apps.holds (deploy_id uuid references apps.deploys (id))`);
    try {
      await query('insert into apps.holds values ($1)', [ids[0]]);
      await expect(deploys.removeDeleted()).rejects.toThrow('holds');
      expect(await remaining(ids)).toEqual(ids.slice(0, 1));
    } finally {
      await query('drop table apps.holds');
    }
    expect(await deploys.removeDeleted()).toBe(1);
  });
});
