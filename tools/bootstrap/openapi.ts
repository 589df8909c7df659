import { messageOf, SetupFailed } from '../dev-services/errors.ts';
import { root, runNx, runTool } from './commands.ts';
import { readSettings } from './settings.ts';
import { stopRequest } from './stop-request.ts';

const WRITE_DOCUMENT = 'dist/api/apps/api/src/openapi/main.js';
const PRETTIER = 'node_modules/prettier/bin/prettier.cjs';
const GOLDEN = 'apps/api/openapi.json';
const GENERATE_CLIENT = 'tools/build/generate-api-client.mjs';

/**
 * `npm run openapi`: regenerates the golden file of the OpenAPI document, and the API client from it. Needs a build, but
 * no services.
 */
async function regenerate(signal: AbortSignal): Promise<void> {
  const { env } = readSettings(process.env, root);
  const steps = [
    () => runNx(['run-many', '-t', 'build', '-p', 'api'], { env, signal }),
    () => runTool(WRITE_DOCUMENT, [GOLDEN], { env, signal }),
    () => runTool(PRETTIER, ['--write', GOLDEN], { env, signal }),
    () => runTool(GENERATE_CLIENT, [], { env, signal }),
  ];
  for (const step of steps) {
    const { ok, output } = await step();
    if (!ok) throw new SetupFailed(output.trim());
  }
  console.log(
    `Wrote ${GOLDEN} and the calls of the API client. Review the difference: it is a change of the HTTP contract.`,
  );
}

regenerate(stopRequest()).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
