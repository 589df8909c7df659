import { openRuntimeFolder } from '../dev-services/runtime.ts';
import { messageOf, SetupFailed } from '../dev-services/errors.ts';
import { root, runTool } from './commands.ts';
import { checkDataFolder } from './preflight.ts';
import { readSettings } from './settings.ts';
import { stopRequest } from './stop-request.ts';

const RUNTIME = 'dist/api/apps/runtime/src/main.js';
const COMPILE = 'tools/build/compile-api.mjs';

/** The settings of an installation are checked where they are set, against its real services. */
const INSTALLATION = `
To check the settings of an installation, run there, with the environment of the API:
  node dist/api/apps/api/src/main.js doctor
docs/operations.md (Check the settings) describes the checks.`;

/** `npm run doctor`: says which sandboxes for SSR apps this machine can have, and why not. Starts no services. */
async function examine(signal: AbortSignal): Promise<boolean> {
  const { dataDir, env } = readSettings(process.env, root);
  await checkDataFolder(dataDir);
  const compiled = await runTool(COMPILE, [], { env, signal });
  if (!compiled.ok) throw new SetupFailed(compiled.output.trim());
  const folder = env['RUNTIME_DIR'] || (await openRuntimeFolder(dataDir));
  const { ok } = await runTool(RUNTIME, ['doctor'], { env: { ...env, RUNTIME_DIR: folder }, signal, show: true });
  console.log(INSTALLATION);
  return ok;
}

examine(stopRequest()).then(
  (isUsable) => process.exit(isUsable ? 0 : 1),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
