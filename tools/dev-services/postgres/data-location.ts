import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';
import { canReach, isRoot, unprivilegedAccount } from './account.ts';
import type { Account } from './account.ts';
import { stopOrphan } from './stop-orphan.ts';

/** The location and the user of one database. */
export interface DataLocation {
  /** Contains `data` (PostgreSQL's files), `password` and `keeper.json`. */
  folder: string;
  /** Target of the copied programs when the account cannot read the checkout. */
  copies: string;
  /** Undefined for the current user. */
  account: Account | undefined;
}

/** Candidate folders for databases of root, in order of preference. They must be accessible to an unprivileged user. */
const stateBases = (): string[] => ['/var/lib/homeport', '/var/tmp/homeport', join(tmpdir(), 'homeport')];

/**
 * Opens `${dataDir}/postgres`, creating it when absent. For root it is a link to a state folder, because PostgreSQL
 * then runs as another user, who often cannot enter the checkout. Without the link (`.data` was deleted) the database
 * starts empty.
 */
export async function openDataLocation(dataDir: string): Promise<DataLocation> {
  await mkdir(dataDir, { recursive: true });
  const postgresPath = join(await realpath(dataDir), 'postgres');
  if (!isRoot()) return openOwnDataLocation(postgresPath);
  const linked = await findLink(postgresPath);
  if (linked === 'folder')
    return { folder: postgresPath, copies: await usableBase(), account: await ownerOf(postgresPath) };
  const account = await unprivilegedAccount();
  if (linked && (await adoptState(linked, postgresPath))) return { folder: linked, copies: dirname(linked), account };
  const base = await usableBase(account);
  await removeAbandoned(base, postgresPath);
  return { folder: await createState(base, postgresPath), copies: base, account };
}

async function openOwnDataLocation(postgresPath: string): Promise<DataLocation> {
  const linked = await findLink(postgresPath);
  if (linked && linked !== 'folder') {
    throw new SetupFailed(
      `${postgresPath} was created by root. Run as root again, run "npm run reset" as root, or choose another DATA_DIR.`,
    );
  }
  await mkdir(postgresPath, { recursive: true, mode: 0o700 });
  return { folder: postgresPath, copies: postgresPath, account: undefined };
}

/** Returns the folder of the database that belongs to a data folder; undefined without a database. */
export async function findDataFolder(dataDir: string): Promise<string | undefined> {
  const postgresPath = join(await realpath(dataDir), 'postgres');
  const linked = await findLink(postgresPath);
  return linked === 'folder' ? postgresPath : linked;
}

/** Removes the database of a data folder, after stopping an orphaned PostgreSQL. */
export async function removePostgresData(dataDir: string): Promise<void> {
  const postgresPath = join(dataDir, 'postgres');
  const linked = await findLink(postgresPath);
  if (linked && linked !== 'folder' && isStateFolder(linked)) await removeState(linked);
  if (linked === 'folder') await stopOrphan(join(postgresPath, 'data'));
  await rm(postgresPath, { recursive: true, force: true });
}

async function removeState(folder: string): Promise<void> {
  await stopOrphan(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
}

function isStateFolder(path: string): boolean {
  return stateBases().includes(dirname(path)) && /\/[0-9a-f]{12}-[0-9a-f]{8}$/.test(path);
}

async function findLink(postgresPath: string): Promise<string | 'folder' | undefined> {
  try {
    return (await lstat(postgresPath)).isSymbolicLink() ? await readlink(postgresPath) : 'folder';
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Data created by an ordinary user keeps that owner when root starts Homeport later. */
async function ownerOf(postgresPath: string): Promise<Account> {
  const { uid, gid } = await stat(postgresPath);
  return uid === 0 ? unprivilegedAccount() : { uid, gid };
}

async function usableBase(account?: Account): Promise<string> {
  for (const base of stateBases()) {
    try {
      await mkdir(base, { recursive: true });
      await chmod(base, 0o755);
      if (!account || (await canReach(base, account))) return base;
    } catch (error) {
      if (!hasCode(error, 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST')) throw error;
    }
  }
  throw new SetupFailed(
    `PostgreSQL refuses to run as root, and none of ${stateBases().join(', ')} is open to another user. ` +
      'Run Homeport as an ordinary user, or set DATABASE_URL.',
  );
}

/**
 * Whether to use the linked state folder: it was created for this data folder, or for one that no longer links to it (a
 * moved checkout). A copied checkout contains a link to the live database of the original and must not use it.
 */
async function adoptState(folder: string, postgresPath: string): Promise<boolean> {
  const owner = await readOwner(folder);
  if (owner === undefined) return false;
  if (owner === postgresPath) return true;
  if ((await findLink(owner)) === folder) return false;
  await writeOwner(folder, postgresPath);
  return true;
}

async function createState(base: string, postgresPath: string): Promise<string> {
  const folder = join(base, `${keyOf(postgresPath)}-${randomBytes(4).toString('hex')}`);
  // The link comes first: another Homeport may remove a state folder that its owner does not link to.
  await rm(postgresPath, { force: true });
  await symlink(folder, postgresPath, 'dir');
  await mkdir(folder);
  await chmod(folder, 0o755);
  await writeOwner(folder, postgresPath);
  return folder;
}

/** Removes state folders of deleted data folders: of this path, and of temporary folders that no longer exist. */
async function removeAbandoned(base: string, postgresPath: string): Promise<void> {
  for (const name of await readdir(base)) {
    const folder = join(base, name);
    if (!isStateFolder(folder)) continue;
    const owner = await readOwner(folder);
    const isOwnerDeleted = owner?.startsWith(await realpath(tmpdir())) && (await findLink(owner)) === undefined;
    if (owner === postgresPath || isOwnerDeleted) await removeState(folder);
  }
}

function keyOf(postgresPath: string): string {
  return createHash('sha256').update(postgresPath).digest('hex').slice(0, 12);
}

async function readOwner(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'owner'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function writeOwner(folder: string, postgresPath: string): Promise<void> {
  return writeDurably(join(folder, 'owner'), `${postgresPath}\n`, 0o644);
}
