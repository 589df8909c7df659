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
  /** 0 or absent picks a free port. */
  port?: number;
  onLog?: (line: string) => void;
}

export interface RunningPostgres extends RunningService {
  port: number;
  /** Superuser, database `homeport`. */
  url: string;
  /** The PostgreSQL main process, a child of the caller. */
  pid: number;
  died: Promise<Error>;
}

/**
 * Starts PostgreSQL on 127.0.0.1, supervised by the calling process.
 * First stops a PostgreSQL orphaned by a killed supervisor.
 * @throws {SetupFailed} with instructions, for example when another process supervises the same data.
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
 * Stops a PostgreSQL that a killed supervisor left running on this
 * data folder. Does nothing while a supervisor runs. Idempotent.
 * @throws {SetupFailed} when PostgreSQL does not stop.
 */
export async function stopLeftoverPostgres(dataDir: string): Promise<void> {
  const folder = await findDataFolder(dataDir);
  if (folder === undefined) return;
  const supervisor = await readSupervisor(join(folder, 'keeper.json'));
  if (supervisor && isStillRunning(supervisor)) return;
  await stopOrphan(join(folder, 'data'));
}

/** Returns the URL of the database that runs on this data folder; undefined when none runs. */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, 'postgres');
  const supervisor = await readSupervisor(join(folder, 'keeper.json'));
  if (!supervisor || !isStillRunning(supervisor)) return undefined;
  const [password, state] = await Promise.all([
    readFile(join(folder, 'password'), 'utf8'),
    readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'),
  ]);
  // The port is on the fourth line of postmaster.pid.
  const port = Number(state.split('\n')[3]);
  return urlOf({ password: password.trim(), port, database: DATABASE });
}

function urlOf({ password, port, database }: { password: string; port: number; database: string }): string {
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Registers this process as the only supervisor: two of them would stop each other's PostgreSQL as an orphan. */
async function registerSupervisor(folder: string): Promise<void> {
  const path = join(folder, 'keeper.json');
  const supervisor = await readSupervisor(path);
  if (supervisor && supervisor.pid !== process.pid && isStillRunning(supervisor)) {
    throw new SetupFailed(
      `PostgreSQL already runs on ${folder}, supervised by process ${supervisor.pid}. Stop it first, or set DATA_DIR.`,
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
