import { rm } from 'node:fs/promises';
import { messageOf, SetupFailed } from '../dev-services/errors.ts';
import { removePostgresData } from '../dev-services/postgres/index.ts';
import { root } from './commands.ts';
import { findRun } from './run-lock.ts';
import { readSettings } from './settings.ts';

async function reset(): Promise<void> {
  const { dataDir } = readSettings(process.env, root);
  const run = findRun(dataDir);
  if (run) throw new SetupFailed(`Homeport runs at ${run.url} (process ${run.pid}). Stop it first.`);
  await removePostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
  console.log(`Removed ${dataDir}. The next start begins with empty data.`);
}

reset().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
