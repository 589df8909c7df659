import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import { freePort } from '../ports.ts';
import { isRoot, unprivilegedAccount } from '../postgres/account.ts';
import { type Daemon, findPrograms, installAdvice, startDaemon } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import { settingsOf } from './configuration.ts';
import { PGBOUNCER } from './programs.ts';

export interface PgbouncerOptions {
  /** The URL of the database behind it, with user and password. */
  databaseUrl: string;
  mode: 'session' | 'transaction';
}

export interface RunningPgbouncer {
  /** The URL of the same database through PgBouncer. */
  url: string;
  close(): Promise<void>;
}

const TRIES = 500;
const PAUSE_MILLISECONDS = 20;

/** Starts PgBouncer in front of one database. @throws {SetupFailed} with the package to install when it is missing. */
export async function startPgbouncer({ databaseUrl, mode }: PgbouncerOptions): Promise<RunningPgbouncer> {
  const found = await findPrograms(PGBOUNCER);
  if (!found) throw new SetupFailed(installAdvice(PGBOUNCER));
  const [folder, port, behind] = [
    await mkdtemp(join(tmpdir(), 'homeport-pgbouncer-')),
    await freePort(),
    new URL(databaseUrl),
  ];
  let daemon: Daemon | undefined;
  const close = async () => {
    await daemon?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const settings = settingsOf({
      host: behind.hostname,
      port: Number(behind.port || 5432),
      database: behind.pathname.slice(1),
      mode,
      usersFile: join(folder, 'users.txt'),
    });
    const listeners = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n`;
    await writeFile(join(folder, 'pgbouncer.ini'), settings + listeners);
    await writeFile(join(folder, 'users.txt'), `"${behind.username}" "${decodeURIComponent(behind.password)}"\n`);
    daemon = startDaemon(
      'setpriv',
      [...(await unprivileged(folder)), join(found.get('pgbouncer') ?? '', 'pgbouncer'), 'pgbouncer.ini'],
      folder,
    );
    await waitUntilReady(() => accepts(port), {
      tries: TRIES,
      pauseMilliseconds: PAUSE_MILLISECONDS,
      died: daemon.died,
      late: () => new SetupFailed('PgBouncer does not accept connections.'),
    });
  } catch (error) {
    await close();
    throw error;
  }
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, close };
}

/** PgBouncer refuses to run as root. The change of the user clears the signal that startDaemon sets. */
async function unprivileged(folder: string): Promise<string[]> {
  const signal = ['--pdeathsig', 'KILL'];
  if (!isRoot()) return signal;
  const { uid, gid } = await unprivilegedAccount();
  await chown(folder, uid, gid);
  return ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', ...signal];
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
}
