import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode, SetupFailed } from '../dev-services/errors.ts';
import { ownMark, stillRuns } from '../dev-services/processes.mjs';

const runFile = z.object({ pid: z.number(), birth: z.string(), url: z.string(), startedAt: z.string() });
type Run = z.infer<typeof runFile>;

const fileOf = (dataDir: string): string => join(dataDir, 'run.json');

/** The Homeport that runs on this data folder. A file left by a killed one counts as none. */
export async function findRun(dataDir: string): Promise<Run | undefined> {
  try {
    const run = runFile.safeParse(JSON.parse(await readFile(fileOf(dataDir), 'utf8')));
    return run.success && stillRuns(run.data) ? run.data : undefined;
  } catch (error) {
    // Cut short by a crash while it was written: whoever wrote it is gone.
    if (hasCode(error, 'ENOENT') || String(error).startsWith('SyntaxError')) return undefined;
    throw error;
  }
}

/** Claims the data folder and answers how to give it back. Throws SetupFailed when a Homeport runs on it. */
export async function claimRun(dataDir: string, url: string): Promise<() => Promise<void>> {
  const run = await findRun(dataDir);
  if (run) {
    throw new SetupFailed(
      `Homeport already runs here (process ${run.pid}) at ${run.url}. Stop it first, or set DATA_DIR and PORT.`,
    );
  }
  await rm(fileOf(dataDir), { force: true });
  try {
    const file = await open(fileOf(dataDir), 'wx');
    await file.writeFile(JSON.stringify({ ...ownMark(), url, startedAt: new Date().toISOString() } satisfies Run));
    await file.close();
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new SetupFailed('Another Homeport is being started here at this moment.');
    throw error;
  }
  return () => rm(fileOf(dataDir), { force: true });
}
