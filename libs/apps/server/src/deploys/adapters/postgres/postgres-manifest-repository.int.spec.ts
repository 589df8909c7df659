import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { appsDatabaseOptions } from '../../../testing/apps-database';
import { DeployFixture, digestOf } from '../../../testing/deploy-fixtures';
import { manifestRepositoryContract } from '../../../testing/manifest-repository.contract';
import { PostgresDeployRepository } from './postgres-deploy-repository';
import { PostgresManifestRepository } from './postgres-manifest-repository';

describe('PostgresManifestRepository', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let jobs: JobQueue;
  const open = () => ({
    registry: AppFixture.inPostgres(database, jobs),
    deploys: new PostgresDeployRepository(database, jobs),
    manifests: new PostgresManifestRepository(database),
    releases: new DeployFixture(new PostgresAppsUnitOfWork(database, jobs)),
    expireLease: (id: string): Promise<void> =>
      database.source.query(`update apps.deploys set lease_until = clock_timestamp() - interval '1 s' where id = $1`, [
        id,
      ]),
  });

  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(fresh.url));
    database = await createDatabase(appsDatabaseOptions(fresh.url)).open();
    jobs = new JobQueue({ database: database.source });
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  manifestRepositoryContract(PostgresManifestRepository.name, open);

  it('removes the manifests of deploys that ended an hour ago', async () => {
    const member = memberOf('removal');
    const { app } = await open().registry.register(member);
    const files = [{ path: 'index.html', size: 1, digest: digestOf('x') }];
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      const { id } = await open().deploys.begin(member, app.id);
      await open().manifests.add(id, files);
      ids.push(id);
    }
    const [open1, ...ended] = ids as [string, ...string[]];
    await database.source.query(
      `update apps.deploys set status = 'failed', error = '{}', lease_until = null,
       created_at = created_at - interval '61 minutes' where id = any ($1)`,
      [ended],
    );
    expect(await open().manifests.removeEnded()).toBeGreaterThanOrEqual(ended.length);
    const remaining = await Promise.all(ids.map((id) => open().manifests.filesOf(id)));
    expect(remaining).toEqual([files, ...ended.map(() => [])]);
    expect(await open().manifests.findFile(open1, files[0]!.digest)).toEqual(files[0]);
  });
});
