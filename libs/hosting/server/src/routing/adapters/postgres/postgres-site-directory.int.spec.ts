import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, createDatabase, migrate } from '@homeport/platform/server/database';
import { DatabaseUnavailable } from '@homeport/kernel';
import { PostgresPool } from '@homeport/platform/server/postgres';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { SiteSeeder } from '../../../testing/site-seeder';
import { appsDatabaseOptions } from '@homeport/apps/server/testing';
import { SITE_HOSTNAMES, siteDirectoryContract } from '../../../testing/site-directory.contract';
import { PostgresSiteDirectory } from './postgres-site-directory';

function poolOn(url: string): PostgresPool {
  return new PostgresPool({ url, poolSize: 2, applicationName: 'homeport-edge' });
}

describe('PostgresSiteDirectory', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let pool: PostgresPool;

  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(fresh.url));
    database = await createDatabase(appsDatabaseOptions(fresh.url)).open();
    pool = poolOn(fresh.url);
  });

  afterAll(async () => {
    await pool.close();
    await database.close();
    await fresh.drop();
  });

  siteDirectoryContract(PostgresSiteDirectory.name, () => {
    const seeded = new SiteSeeder(database);
    return {
      directory: new PostgresSiteDirectory(pool, SITE_HOSTNAMES),
      app: (subdomain, name) => seeded.app(subdomain, name),
      deploy: (appId, { paths, ...more }) => {
        return seeded.deploy(appId, Object.fromEntries(paths.map((path) => [path, `bytes of ${path}`])), more);
      },
      activate: (appId, deployId) => seeded.activate(appId, deployId),
      alias: (label, appId, deployId) => seeded.alias(label, appId, deployId),
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
    const directory = new PostgresSiteDirectory(pool, SITE_HOSTNAMES);
    const files = await directory.findFiles(id, ['index.html', 'gone.html']);
    expect(files.map(({ path }) => path)).toEqual(['index.html']);
    expect(await directory.findInEarlierDeploy(app, 'gone.html')).toBeUndefined();
  });

  it('is unavailable before the migrations', async () => {
    const empty = await freshDatabase();
    const unmigrated = poolOn(empty.url);
    const directory = new PostgresSiteDirectory(unmigrated, SITE_HOSTNAMES);
    await expect(directory.ready()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await migrate(appsDatabaseOptions(empty.url));
    await directory.ready();
    await unmigrated.close();
    await empty.drop();
  });
});
