import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import { freePort } from '../ports.ts';
import { isRoot, unprivilegedAccount } from '../postgres/account.ts';
import type { Account } from '../postgres/account.ts';
import { installAdvice, runTool, startDaemon } from '../system-programs.ts';
import type { Daemon } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import { DEBIAN_POSTGRES } from './programs.ts';

const VERSIONS = '/usr/lib/postgresql';
const TRIES = 500;
const PAUSE_MILLISECONDS = 20;

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
  const [port, bin, account] = [await freePort(), await programFolder(), await accountToUse()];
  const folder = await mkdtemp(join(tmpdir(), 'homeport-debian-postgres-'));
  const as = account ? ['--reuid', `${account.uid}`, '--regid', `${account.gid}`, '--clear-groups'] : [];
  const run = (program: string, args: readonly string[]) =>
    runTool('setpriv', [...as, join(bin, program), ...args], folder);
  const psql = (...args: string[]) =>
    run('psql', ['-h', folder, '-p', `${port}`, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', ...args]);
  let daemon: Daemon | undefined;
  const close = async (): Promise<void> => {
    await daemon?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await writeFile(join(folder, 'statements.sql'), statements);
    if (account) await chown(folder, account.uid, account.gid);
    const data = join(folder, 'data');
    await run('initdb', ['-D', data, '-U', 'postgres', '--auth-local=trust', '--auth-host=scram-sha-256', '-N']);
    const server = ['-D', data, '-p', `${port}`, '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
    // The change of the user clears the signal that startDaemon sets.
    const signal = ['--pdeathsig', 'KILL'];
    daemon = startDaemon('setpriv', [...as, ...signal, join(bin, 'postgres'), ...server], folder);
    await waitUntilReady(() => isReady(psql), {
      tries: TRIES,
      pauseMilliseconds: PAUSE_MILLISECONDS,
      died: daemon.died,
      late: () => new SetupFailed('PostgreSQL does not accept connections.'),
    });
    await psql('-q', '-f', 'statements.sql');
    return { port, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function isReady(psql: (...args: string[]) => Promise<string>): Promise<boolean> {
  try {
    await psql('-c', 'select 1');
    return true;
  } catch (error) {
    if (error instanceof SetupFailed) return false;
    throw error;
  }
}

async function programFolder(): Promise<string> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = versions.map(Number).sort((left, right) => right - left)[0];
  if (newest === undefined) throw new SetupFailed(installAdvice(DEBIAN_POSTGRES));
  return join(VERSIONS, `${newest}`, 'bin');
}

async function accountToUse(): Promise<Account | undefined> {
  return isRoot() ? unprivilegedAccount() : undefined;
}
