import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { promisify } from 'node:util';
import { SetupFailed } from '../errors.ts';

const run = promisify(execFile);

/** The user that runs PostgreSQL when we are root, because PostgreSQL refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Returns an existing unprivileged user: `postgres`, else `nobody`. */
export async function unprivilegedAccount(): Promise<Account> {
  for (const name of ['postgres', 'nobody']) {
    const account = await findAccount(name);
    if (account && account.uid !== 0) return account;
  }
  throw new SetupFailed(
    'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody". ' +
      'Run Homeport as another user, or set DATABASE_URL.',
  );
}

async function findAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    // `id` exits with 1 for a user that does not exist.
    return undefined;
  }
}

/** Whether the account can enter a folder and all of its parents. */
export async function canReach(folder: string, account: Account): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    const { mode, uid, gid } = await stat(path);
    const bits = uid === account.uid ? mode >> 6 : gid === account.gid ? mode >> 3 : mode;
    const needed = path === folder ? 0o5 : 0o1;
    if ((bits & needed) !== needed) return false;
    if (path === parse(path).root) return true;
  }
}
