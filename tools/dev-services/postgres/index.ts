import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';
import { freePort, isPortFree } from '../ports.ts';
import { currentProcessIdentity, isStillRunning } from '../processes.mjs';
import type { ProcessIdentity } from '../processes.mjs';
import type { RunningService } from '../service-process.ts';
import { openCluster, SUPERUSER } from './cluster.ts';
import { findDataFolder, openDataLocation } from './data-location.ts';
import { findPostgresBinaries } from './binaries.ts';
import { stopOrphan } from './stop-orphan.ts';
import { launch, portInUse, shutDown } from './server.ts';
import type { Server } from './server.ts';

export { removePostgresData } from './data-location.ts';

const DATABASE = 'homeport';

export interface PostgresOptions {
  /** The database lives in `${dataDir}/postgres`. */
  dataDir: string;
  /** 0 or absent: a free one. */
  port?: number;
  onLog?: (line: string) => void;
}

export interface RunningPostgres extends RunningService {
  port: number;
  /** Superuser, database `homeport`. */
  url: string;
  /** PostgreSQL's own process, a child of the caller. */
  pid: number;
  died: Promise<Error>;
}

/**
 * A real PostgreSQL on 127.0.0.1, kept by the calling process. What a killed earlier keeper left running is stopped
 * first. Repeating is safe; a second keeper of the same data is refused. Throws SetupFailed with what to do.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const onLog = options.onLog ?? (() => undefined);
  const home = await openDataLocation(options.dataDir);
  await registerSupervisor(home.folder);
  const native = await findPostgresBinaries(home.account, home.copies);
  const cluster = await openCluster(home, native);
  await stopOrphan(cluster.data);
  const port = options.port || (await freePort());
  if (!(await isPortFree(port))) throw portInUse(port);
  const server = await launch({ program: native.postgres, data: cluster.data, port, home, onLog });
  const url = (database: string): string => urlOf({ password: cluster.password, port, database });
  try {
    await createDatabase(url('postgres'));
  } catch (error) {
    await shutDown(server);
    throw error;
  }
  return { port, url: url(DATABASE), pid: server.process.pid ?? 0, ...supervise(server) };
}

/**
 * Stops the PostgreSQL that a killed keeper left running on this data folder. Does nothing while a keeper runs, or when
 * there is no such PostgreSQL; repeating is safe. Throws SetupFailed when it does not stop.
 */
export async function stopLeftoverPostgres(dataDir: string): Promise<void> {
  const folder = await findDataFolder(dataDir);
  if (folder === undefined) return;
  const keeper = await readSupervisor(join(folder, 'keeper.json'));
  if (keeper && isStillRunning(keeper)) return;
  await stopOrphan(join(folder, 'data'));
}

/** The URL of the database that somebody keeps on this data folder, or undefined when nobody does. */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, 'postgres');
  const keeper = await readSupervisor(join(folder, 'keeper.json'));
  if (!keeper || !isStillRunning(keeper)) return undefined;
  const [password, state] = await Promise.all([
    readFile(join(folder, 'password'), 'utf8'),
    readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'),
  ]);
  // The fourth line is the port.
  const port = Number(state.split('\n')[3]);
  return urlOf({ password: password.trim(), port, database: DATABASE });
}

function urlOf({ password, port, database }: { password: string; port: number; database: string }): string {
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Two keepers would take each other's PostgreSQL for an orphan and stop it. */
async function registerSupervisor(folder: string): Promise<void> {
  const path = join(folder, 'keeper.json');
  const keeper = await readSupervisor(path);
  if (keeper && keeper.pid !== process.pid && isStillRunning(keeper)) {
    throw new SetupFailed(
      `PostgreSQL already runs on ${folder}, kept by process ${keeper.pid}. Stop that first, or set DATA_DIR.`,
    );
  }
  await writeDurably(path, JSON.stringify(currentProcessIdentity()));
}

async function readSupervisor(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ProcessIdentity;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function createDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function supervise(server: Server): Pick<RunningPostgres, 'close' | 'died'> {
  let closing: Promise<void> | undefined;
  const died = server.exited.then((code) =>
    closing ? new Promise<never>(() => undefined) : new Error(`PostgreSQL ended (${code}):\n${server.tail().trim()}`),
  );
  return { died, close: () => (closing ??= shutDown(server)) };
}
