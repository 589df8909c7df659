import type { Environment } from '@homeport/platform/server/config';
import { explainProgram } from '@homeport/platform/server/process';

const USAGE = `Usage: node dist/api/apps/api/src/main.js [doctor [--json] | reseal | charges <command>]

Starts the API. docs/operations.md describes the variables that it reads.

  doctor  checks the variables against the real services
  reseal  seals stored secrets again with the first key of SECRETS_KEYS
  charges exports, checks and corrects the charges of organizations
  --help  prints this text; after a command, that of the command

Other programs, each with --help: verify/main.js compares the database with the storage and the zone, and
publish/main.js publishes prices.`;

/**
 * Runs a command of the API in place of the server.
 * @returns the exit code.
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'doctor') return (await import('./doctor/run')).run(rest, env);
  if (command === 'reseal') return (await import('./reseal/run')).run(rest, env);
  if (command === 'charges') return (await import('./charges/run')).run(rest, env);
  return explainProgram(args, USAGE);
}
