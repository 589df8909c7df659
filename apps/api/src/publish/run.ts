import 'reflect-metadata';
import type { Environment } from '@homeport/platform/server/config';
import { publishOptionsFrom } from './publish-options';

/**
 * Runs the command that publishes prices and prints its result.
 * @param args the command line arguments, without program and script.
 * @returns the exit code: 0 when the prices were published or are unchanged.
 */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const options = publishOptionsFrom(args);
  if (typeof options === 'number') return options;
  const databaseUrl = env['DATABASE_URL'];
  if (!databaseUrl) {
    process.stderr.write('DATABASE_URL is not set. Set it to the address of the database.\n');
    return 1;
  }
  const { publishPrices } = await import('./publish-prices');
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const succeeded = await publishPrices({ databaseUrl, options, print }).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  });
  return succeeded ? 0 : 1;
}
