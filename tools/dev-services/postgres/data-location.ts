import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeDurably } from '../durable-file.ts';
import { hasCode, SetupFailed } from '../errors.ts';
import { canReach, isRoot, unprivilegedAccount } from './account.ts';
import type { Account } from './account.ts';
import { stopOrphan } from './stop-orphan.ts';

/** Where one database lives, and who runs it. */
export interface DataLocation {
  /** Holds `data` (PostgreSQL's own), `password` and `keeper.json`. */
  folder: string;
  /** Where copies of the programs go when the account cannot reach the checkout. */
  copies: string;
  /** Undefined: the current user. */
  account: Account | undefined;
}

/** Bases for root's databases, the first usable one wins. They must be open to a user without privileges. */
const stateBases = (): string[] => ['/var/lib/homeport', '/var/tmp/homeport', join(tmpdir(), 'homeport')];

/**
 * `${dataDir}/postgres`, made when absent. As root it is a link into a state folder, because PostgreSQL then runs as
 * another user, who often cannot enter the checkout; without the link (`.data` was removed) the database starts fresh.
 */
export async function openDataLocation(dataDir: string): Promise<DataLocation> {
  await mkdir(dataDir, { recursive: true });
  const place = join(await realpath(dataDir), 'postgres');
  if (!isRoot()) return openOwnDataLocation(place);
  const linked = await findLink(place);
  if (linked === 'folder') return { folder: place, copies: await usableBase(), account: await ownerOf(place) };
  const account = await unprivilegedAccount();
  if (linked && (await adopt(linked, place))) return { folder: linked, copies: dirname(linked), account };
  const base = await usableBase(account);
  await removeAbandoned(base, place);
  return { folder: await createState(base, place), copies: base, account };
}

async function openOwnDataLocation(place: string): Promise<DataLocation> {
  const linked = await findLink(place);
  if (linked && linked !== 'folder') {
    throw new SetupFailed(
      `${place} was made by root. Go on as root, or as root run "npm run reset", or choose another DATA_DIR.`,
    );
  }
  await mkdir(place, { recursive: true, mode: 0o700 });
  return { folder: place, copies: place, account: undefined };
}

/** The folder of the database that belongs to a data folder, or undefined when there is none. */
export async function findDataFolder(dataDir: string): Promise<string | undefined> {
  const place = join(await realpath(dataDir), 'postgres');
  const linked = await findLink(place);
  return linked === 'folder' ? place : linked;
}

/** Removes the database of a data folder, after stopping a PostgreSQL left over there. */
export async function removePostgresData(dataDir: string): Promise<void> {
  const place = join(dataDir, 'postgres');
  const linked = await findLink(place);
  if (linked && linked !== 'folder' && isStateFolder(linked)) await removeState(linked);
  if (linked === 'folder') await stopOrphan(join(place, 'data'));
  await rm(place, { recursive: true, force: true });
}

async function removeState(folder: string): Promise<void> {
  await stopOrphan(join(folder, 'data'));
  await rm(folder, { recursive: true, force: true });
}

function isStateFolder(path: string): boolean {
  return stateBases().includes(dirname(path)) && /\/[0-9a-f]{12}-[0-9a-f]{8}$/.test(path);
}

async function findLink(place: string): Promise<string | 'folder' | undefined> {
  try {
    return (await lstat(place)).isSymbolicLink() ? await readlink(place) : 'folder';
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Data made by an ordinary user stays that user's when root starts Homeport later. */
async function ownerOf(place: string): Promise<Account> {
  const { uid, gid } = await stat(place);
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
 * Whether the linked state folder is ours to use: made for this place, or for one that no longer points at it (the
 * checkout was moved). A copied checkout carries a link to the original's live database and must not touch that.
 */
async function adopt(folder: string, place: string): Promise<boolean> {
  const owner = await readOwner(folder);
  if (owner === undefined) return false;
  if (owner === place) return true;
  if ((await findLink(owner)) === folder) return false;
  await writeOwner(folder, place);
  return true;
}

async function createState(base: string, place: string): Promise<string> {
  const folder = join(base, `${keyOf(place)}-${randomBytes(4).toString('hex')}`);
  // The link comes first: a folder whose owner does not link to it may be swept by another Homeport.
  await rm(place, { force: true });
  await symlink(folder, place, 'dir');
  await mkdir(folder);
  await chmod(folder, 0o755);
  await writeOwner(folder, place);
  return folder;
}

/** Removes what earlier data folders left: this place's, and those of temporary folders that are gone. */
async function removeAbandoned(base: string, place: string): Promise<void> {
  for (const name of await readdir(base)) {
    const folder = join(base, name);
    if (!isStateFolder(folder)) continue;
    const owner = await readOwner(folder);
    const ownersGone = owner?.startsWith(await realpath(tmpdir())) && (await findLink(owner)) === undefined;
    if (owner === place || ownersGone) await removeState(folder);
  }
}

function keyOf(place: string): string {
  return createHash('sha256').update(place).digest('hex').slice(0, 12);
}

async function readOwner(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'owner'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function writeOwner(folder: string, place: string): Promise<void> {
  return writeDurably(join(folder, 'owner'), `${place}\n`, 0o644);
}
