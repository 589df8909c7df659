import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { freshDatabase } from '@homeport/platform/server/testing';
import { appsDatabaseOptions } from './apps-database';

export interface AppsDatabase {
  readonly url: string;
  readonly database: Database;
  /** It runs no jobs. */
  readonly jobs: JobQueue;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

/** Creates a database with the tables of apps and deploys for one spec, and connects to it. */
export async function openAppsDatabase(): Promise<AppsDatabase> {
  const { url, drop } = await freshDatabase();
  await migrate(appsDatabaseOptions(url));
  const database = await createDatabase(appsDatabaseOptions(url)).open();
  const close = async () => {
    await database.close();
    await drop();
  };
  return { url, database, jobs: new JobQueue({ database: database.source }), close };
}
