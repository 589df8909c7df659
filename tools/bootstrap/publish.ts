import { messageOf, SetupFailed } from '../dev-services/errors.ts';
import { runningPostgresUrl, startPostgres } from '../dev-services/postgres/index.ts';
import { root, runNx, runTool } from './commands.ts';
import { readSettings } from './settings.ts';
import type { Environment } from './settings.ts';
import { stopRequest } from './stop-request.ts';

const PUBLISH = 'dist/api/apps/api/src/publish/main.js';

/**
 * Publishes the prices of this checkout to `DATABASE_URL`, or to the embedded database, which may be running or not.
 */
async function publish(args: string[], signal: AbortSignal): Promise<boolean> {
  const { env, dataDir } = readSettings(process.env, root);
  const built = await runNx(['run-many', '-t', 'build', '-p', 'api'], { env, signal });
  if (!built.ok) throw new SetupFailed(`${built.output.trim()}\n\nThe build failed; its output is above.`);
  const database = await openDatabase(env, dataDir);
  try {
    const result = await runTool(PUBLISH, args, { env: { ...env, DATABASE_URL: database.url }, show: true, signal });
    return result.ok;
  } finally {
    await database.close();
  }
}

async function openDatabase(env: Environment, dataDir: string): Promise<{ url: string; close(): Promise<void> }> {
  const url = env['DATABASE_URL'] || (await runningPostgresUrl(dataDir));
  if (url) return { url, close: async () => undefined };
  return startPostgres({ dataDir });
}

publish(process.argv.slice(2), stopRequest()).then(
  (isWell) => process.exit(isWell ? 0 : 1),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
