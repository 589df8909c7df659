import { type Environment } from '@homeport/platform/server/config';
import {
  configOrExit,
  createLogger,
  effectiveConfigurationOf,
  startFailureOf,
} from '@homeport/platform/server/process';
import { ENVIRONMENT_NAMES, loadConfig, LOGGED_SETTINGS } from './config';

/**
 * Runs the API until a signal stops it. Exits with code 1 if it cannot start. Reads the configuration before it loads the
 * server, so that a wrong one is named at once.
 */
export async function start(env: Environment): Promise<void> {
  const config = configOrExit(() => loadConfig(env));
  const log = createLogger(config.LOG_LEVEL, 'api');
  log.info(
    effectiveConfigurationOf(config, env, { names: ENVIRONMENT_NAMES, shown: LOGGED_SETTINGS }),
    'configuration',
  );
  const { serve } = await import('./serve');
  await serve(config, log).catch((error: unknown) => {
    log.fatal(startFailureOf(error, config), 'could not start');
    process.exit(1);
  });
}
