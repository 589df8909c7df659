import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, SetupFailed } from '../dev-services/errors.ts';
import type { ManagementPorts } from '../dev-services/homeport.ts';
import { freePort, isPortFree } from '../dev-services/ports.ts';
import { stopLeftoverPostgres } from '../dev-services/postgres/index.ts';
import { managementHostOf, portsInUseMessage, requiredPorts } from './settings.ts';
import type { Settings, RequiredPort } from './settings.ts';

const LEAST_FREE_BYTES = 300 * 1024 ** 2;

/**
 * Creates the data folder. @throws {SetupFailed} when it cannot be created or written, or when the disk is nearly full.
 */
export async function checkDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST')) throw error;
    throw new SetupFailed(
      `The data folder ${dataDir} cannot be created (${error.code}). Set DATA_DIR to another folder.`,
    );
  }
  // Before the free-space check: a read-only file system has no free space, and freeing some would not help.
  await assertWritable(dataDir);
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= LEAST_FREE_BYTES) return;
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new SetupFailed(
    `The disk with ${dataDir} is nearly full (${free} MB free). Free at least 300 MB, or set DATA_DIR to another disk.`,
  );
}

/** Writes a file, because permissions are not sufficient: root has them on a read-only file system too. */
async function assertWritable(dataDir: string): Promise<void> {
  const probe = join(dataDir, `.write-test-${randomUUID()}`);
  try {
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe, { force: true });
  } catch (error) {
    // The free-space check reports this as a nearly full disk.
    if (hasCode(error, 'ENOSPC', 'EDQUOT')) return;
    // File systems such as /proc return ENOENT.
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT')) throw error;
    throw new SetupFailed(
      `The data folder ${dataDir} cannot be written (${error.code}). Make it writable, or set DATA_DIR to another folder.`,
    );
  }
}

/**
 * Checks that all required ports are free. First stops a PostgreSQL that an earlier, killed run left on the data
 * folder, because it may use POSTGRES_PORT.
 * @throws {SetupFailed} naming every port in use and the variable that changes it.
 */
export async function checkPorts(settings: Settings): Promise<void> {
  const all = requiredPorts(settings);
  if (all.some(({ variable }) => variable === 'POSTGRES_PORT')) await stopLeftoverPostgres(settings.dataDir);
  const taken: RequiredPort[] = [];
  for (const required of all) {
    if (!(await isPortFree(required.port, required.host))) taken.push(required);
  }
  if (taken.length) throw new SetupFailed(portsInUseMessage(taken));
}

/** @returns the port for https: a free one instead of the default when that is in use. */
export async function availableTlsPort({ tlsPort, host }: Settings): Promise<number | undefined> {
  // A port that was set is checked with the others.
  return tlsPort === undefined || (await isPortFree(tlsPort, host)) ? tlsPort : 0;
}

/** @returns three ports in a row from the first one; when the default is in use, three free ones. */
export async function availableManagementPorts({ managementPort: first, env }: Settings): Promise<ManagementPorts> {
  const host = managementHostOf(env);
  const wanted = [first, first + 1, first + 2];
  const areFree = await Promise.all(wanted.map((port) => isPortFree(port, host)));
  // Ports that were set are checked with the others.
  const areTaken = first === 0 || (!env['MANAGEMENT_PORT'] && areFree.includes(false));
  const [api = 0, edge = 0, runtime = 0] = areTaken ? await Promise.all(wanted.map(() => freePort(host))) : wanted;
  return { api, edge, runtime };
}
