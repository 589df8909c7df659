import { DebianServer } from './server.ts';

export type { DebianServer } from './server.ts';

export interface RunningDebianPostgres {
  /** On 127.0.0.1; connections need a password. */
  port: number;
  close(): Promise<void>;
}

/**
 * Starts Debian's PostgreSQL in a temporary folder, and runs statements as its administrator. Loses all data when it
 * stops.
 * @throws {SetupFailed} with the package to install when it is missing, or with the error of a statement.
 */
export async function startDebianPostgres(statements: string): Promise<RunningDebianPostgres> {
  const server = await DebianServer.prepare();
  try {
    await startEmpty(server, statements);
    return { port: server.port, close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * Creates an empty cluster of Debian's PostgreSQL in a temporary folder, with its configuration apart from its data. It
 * is not started.
 * @throws {SetupFailed} with the package to install when it is missing.
 */
export async function createDebianCluster(): Promise<DebianServer> {
  const server = await DebianServer.prepare();
  try {
    await server.createData();
    await server.separateConfiguration();
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

export interface ReplicatedPostgres {
  /** On 127.0.0.1; connections need a password. */
  primaryPort: number;
  /** The same for the standby, which accepts no changes until it is promoted. */
  standbyPort: number;
  killPrimary(): Promise<void>;
  /** Makes the standby the primary. Resolves when it accepts changes. */
  promoteStandby(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the same with a standby that follows by streaming replication. A commit waits for the standby, so that a
 * failover loses nothing.
 */
export async function startReplicatedPostgres(statements: string): Promise<ReplicatedPostgres> {
  const [primary, standby] = [await DebianServer.prepare(), await DebianServer.prepare()];
  const close = async () => {
    await standby.close();
    await primary.close();
  };
  try {
    await startEmpty(primary, statements);
    await standby.copyData(primary);
    await standby.start();
    // After the copy, because the standby must not wait for another one when it is promoted.
    await primary.psql('-c', "alter system set synchronous_standby_names = '*'", '-c', 'select pg_reload_conf()');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    primaryPort: primary.port,
    standbyPort: standby.port,
    killPrimary: () => primary.kill(),
    promoteStandby: async () => void (await standby.psql('-c', 'select pg_promote()')),
    close,
  };
}

async function startEmpty(server: DebianServer, statements: string): Promise<void> {
  await server.createData();
  await server.start();
  await server.execute(statements);
}
