import { SetupFailed } from '../dev-services/errors.ts';
import { runNx } from './commands.ts';
import type { Environment } from './settings.ts';

export const BUILD = ['run-many', '-t', 'build', '-p', 'api,client,cli'];

/**
 * Builds client, API and command line into dist/, or restores them from Nx's
 * cache. @throws {SetupFailed} with the output, or when stopped.
 */
export async function build(env: Environment, signal: AbortSignal): Promise<void> {
  const { ok, output } = await runNx(BUILD, { env, signal });
  if (signal.aborted) throw new SetupFailed('The build was stopped.');
  if (ok) return;
  throw new SetupFailed(`${output.trim()}\n\nThe build failed; its output is above.`);
}
