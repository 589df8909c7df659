import { join } from 'node:path';
import { z } from 'zod';
import { SetupFailed } from '../dev-services/errors.ts';
import { findHolder, tryLock, unlock } from '../dev-services/lock-file.mjs';

const runFile = z.object({ pid: z.number(), birth: z.string(), url: z.string(), startedAt: z.string() });
type Run = z.infer<typeof runFile>;

const fileOf = (dataDir: string): string => join(dataDir, 'run.json');

/** Returns the Homeport that runs on this data folder; ignores the file of a killed one. */
export function findRun(dataDir: string): Run | undefined {
  const holder = findHolder(fileOf(dataDir));
  return holder && runFile.parse(holder);
}

/**
 * Locks the data folder. @returns a function that releases it.
 * @throws {SetupFailed} when a Homeport runs on the folder.
 */
export async function acquireRunLock(dataDir: string, url: string): Promise<() => Promise<void>> {
  const path = fileOf(dataDir);
  const holder = tryLock(path, { url, startedAt: new Date().toISOString() });
  if (!holder) return async () => unlock(path);
  const run = findRun(dataDir);
  if (!run) throw new SetupFailed(`Process ${holder.pid} is starting Homeport on this data folder.`);
  throw new SetupFailed(
    `Homeport already runs here (process ${run.pid}) at ${run.url}. Stop it first, or set DATA_DIR and PORT.`,
  );
}
