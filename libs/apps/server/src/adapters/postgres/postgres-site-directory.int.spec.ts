import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, createDatabase, DatabaseUnavailable, migrate } from '@homeport/platform/server';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { SiteSeeder } from '../../testing/sites/site-seeder';
import { appsDatabaseOptions } from '../../testing/apps-database';
import { siteDirectoryContract } from '../../testing/site-directory.contract';
import { PostgresSiteDirectory } from './postgres-site-directory';

describe('PostgresSiteDirectory', () => {
  let fresh: FreshDatabase;
  let database: Database;

  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(fresh.url));
    database = await createDatabase(appsDatabaseOptions(fresh.url)).open();
  });

  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  siteDirectoryContract(PostgresSiteDirectory.name, () => {
    const seeded = new SiteSeeder(database);
    return {
      directory: new PostgresSiteDirectory(database),
      app: (subdomain, name) => seeded.app(subdomain, name),
      deploy: (appId, { paths, ...more }) => {
        return seeded.deploy(appId, Object.fromEntries(paths.map((path) => [path, `bytes of ${path}`])), more);
      },
      activate: (appId, deployId) => seeded.activate(appId, deployId),
      removeDeploy: (_appId, deployId) => seeded.deleteDeploy(deployId),
      clearDataUntil: (appId, until) => seeded.clearDataUntil(appId, until),
      removeApp: (appId) => seeded.removeApp(appId),
    };
  });

  it('omits a file whose bytes were removed', async () => {
    const seeded = new SiteSeeder(database);
    const app = await seeded.app('bytes-gone');
    const id = await seeded.show(app, { 'index.html': 'here', 'gone.html': 'gone' });
    await database.source.query(
      `delete from apps.blobs b using apps.deploy_files f
      where f.blob_id = b.id and f.path = 'gone.html' and f.deploy_id = $1`,
      [id],
    );
    const directory = new PostgresSiteDirectory(database);
    const files = await directory.findFiles(id, ['index.html', 'gone.html']);
    expect(files.map(({ path }) => path)).toEqual(['index.html']);
    expect(await directory.findInEarlierDeploy(app, 'gone.html')).toBeUndefined();
  });

  it('is unavailable before the first connection and before the migrations', async () => {
    const empty = await freshDatabase();
    const unmigrated = createDatabase(appsDatabaseOptions(empty.url));
    const directory = new PostgresSiteDirectory(unmigrated);
    await expect(directory.ready()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await unmigrated.open();
    await expect(directory.ready()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await migrate(appsDatabaseOptions(empty.url));
    await directory.ready();
    await unmigrated.close();
    await empty.drop();
  });
});
