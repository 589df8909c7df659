import 'reflect-metadata';
import { DATABASE_VARIABLES, type Environment, readEnvironment } from '@homeport/platform/server/config';
import { configOrExit, describeFailure } from '@homeport/platform/server/process';
import { z } from 'zod';
import { publishOptionsFrom } from './publish-options';

const VARIABLES = z.object({ DATABASE_URL: DATABASE_VARIABLES.DATABASE_URL });

/**
 * Runs the command that publishes prices and prints its result.
 * @param args the command line arguments, without program and script.
 * @returns the exit code: 0 when the prices were published or are unchanged.
 */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const options = publishOptionsFrom(args);
  if (typeof options === 'number') return options;
  const { DATABASE_URL: databaseUrl } = configOrExit(() => readEnvironment(VARIABLES, env));
  const { publishPrices } = await import('./publish-prices');
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const succeeded = await publishPrices({ databaseUrl, options, print }).catch((error: unknown) => {
    process.stderr.write(`The prices could not be published: ${describeFailure(error)}\n`);
    return false;
  });
  return succeeded ? 0 : 1;
}
