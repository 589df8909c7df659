import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { deployedFile, DeployFixture, digestOf, filesOf } from '../../../testing/deploy-fixtures';
import { manifestRepositoryContract } from '../../../testing/manifest-repository.contract';
import { PostgresDeployRepository } from './postgres-deploy-repository';
import { PostgresManifestRepository } from './postgres-manifest-repository';

describe('PostgresManifestRepository', () => {
  let opened: AppsDatabase;
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
    opened = await openAppsDatabase();
    ({ database, jobs } = opened);
  });
  afterAll(() => opened.close());

  manifestRepositoryContract(PostgresManifestRepository.name, open);

  it('removes the manifests of deploys that ended an hour ago', async () => {
    const member = memberOf('removal');
    const { app } = await open().registry.register(member);
    const pending = [{ path: 'index.html', size: 1, digest: digestOf('x') }];
    const linked = [deployedFile('a.html'), deployedFile('b.html')];
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      const { id } = await open().deploys.begin(member, app.id);
      await open().manifests.add(id, { pending, linked });
      ids.push(id);
    }
    const [open1, ...ended] = ids as [string, ...string[]];
    await database.source.query(
      `update apps.deploys set status = 'failed', error = '{}', lease_until = null,
       created_at = created_at - interval '61 minutes' where id = any ($1)`,
      [ended],
    );
    expect(await open().manifests.removeEnded()).toBeGreaterThanOrEqual(ended.length);
    const remaining = await Promise.all(ids.map((id) => open().manifests.pendingFiles(id)));
    expect(remaining).toEqual([pending, ...ended.map(() => undefined)]);
    const contents = await Promise.all(ids.map((id) => open().deploys.contentsOf(id)));
    expect(contents.map((files) => filesOf(files).length)).toEqual([2, ...ended.map(() => 0)]);
    expect(await open().manifests.findFile(open1, pending[0]!.digest)).toEqual(pending[0]);
  });
});
