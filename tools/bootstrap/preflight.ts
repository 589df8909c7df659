import { mkdir, statfs } from 'node:fs/promises';
import { hasCode, SetupFailed } from '../dev-services/errors.ts';
import { isPortFree } from '../dev-services/ports.ts';
import { portsMessage, wantedPorts } from './settings.ts';
import type { Settings, WantedPort } from './settings.ts';

const LEAST_FREE_BYTES = 300 * 1024 ** 2;

/** Makes the data folder. Throws SetupFailed when it cannot, or when the disk is nearly full. */
export async function checkDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST')) throw error;
    throw new SetupFailed(`The data folder ${dataDir} cannot be made (${error.code}). Set DATA_DIR to another place.`);
  }
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= LEAST_FREE_BYTES) return;
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  throw new SetupFailed(
    `The disk with ${dataDir} is nearly full (${free} MB free). Free at least 300 MB, or set DATA_DIR to another disk.`,
  );
}

/** Throws SetupFailed naming every port that is in use and the variable that changes it. */
export async function checkPorts(settings: Settings): Promise<void> {
  const taken: WantedPort[] = [];
  for (const wanted of wantedPorts(settings)) {
    if (!(await isPortFree(wanted.port, wanted.host))) taken.push(wanted);
  }
  if (taken.length) throw new SetupFailed(portsMessage(taken));
}
