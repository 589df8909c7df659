import { join } from 'node:path';
import { z } from 'zod';
import { SetupFailed } from '../dev-services/errors.ts';
import { findHolder, tryLock, unlock } from '../dev-services/lock-file.mjs';

const runFile = z.object({ pid: z.number(), birth: z.string(), url: z.string(), startedAt: z.string() });
type Run = z.infer<typeof runFile>;

const fileOf = (dataDir: string): string => join(dataDir, 'run.json');

/** The Homeport that runs on this data folder. A file left by a killed one counts as none. */
export function findRun(dataDir: string): Run | undefined {
  const holder = findHolder(fileOf(dataDir));
  return holder && runFile.parse(holder);
}

/** Claims the data folder and answers how to give it back. Throws SetupFailed when a Homeport runs on it. */
export async function acquireRunLock(dataDir: string, url: string): Promise<() => Promise<void>> {
  const path = fileOf(dataDir);
  const holder = tryLock(path, { url, startedAt: new Date().toISOString() });
  if (!holder) return async () => unlock(path);
  const run = findRun(dataDir);
  if (!run) throw new SetupFailed(`Process ${holder.pid} starts Homeport here at this moment.`);
  throw new SetupFailed(
    `Homeport already runs here (process ${run.pid}) at ${run.url}. Stop it first, or set DATA_DIR and PORT.`,
  );
}
