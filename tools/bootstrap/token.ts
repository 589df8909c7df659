import { messageOf, SetupFailed } from '../dev-services/errors.ts';
import { accessTokenOf } from '../dev-services/identity/access-token.ts';
import { root } from './commands.ts';
import { findRun } from './run-lock.ts';
import { readSettings } from './settings.ts';

/** Prints an access token of a development user, for scripts. */
async function printToken([personId = 'ada']: readonly string[]): Promise<void> {
  const { dataDir, env } = readSettings(process.env, root);
  if (env['AUTH_ISSUER']) {
    throw new SetupFailed(
      'AUTH_ISSUER is set: get the token from that issuer, not from the embedded identity service.',
    );
  }
  const run = findRun(dataDir);
  if (!run) throw new SetupFailed(`Homeport does not run on ${dataDir}. Run "npm start" first.`);
  console.log(await accessTokenOf(run.url, personId));
}

printToken(process.argv.slice(2)).catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
