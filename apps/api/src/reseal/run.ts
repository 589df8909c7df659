import 'reflect-metadata';
import type { Environment } from '@homeport/platform/server/config';
import { readCommandLine } from '@homeport/platform/server/process';

const USAGE = `Usage: node dist/api/apps/api/src/main.js reseal

Seals with the first key of SECRETS_KEYS what older keys seal, and prints how many values it changed. It reads the
environment of the API, and can run while Homeport serves and be repeated. Exit code 0: the first key seals every value.
1: a value cannot be opened, or the database is unavailable. 2: an unknown argument.`;

/** @returns the exit code. */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const commandLine = readCommandLine({ args, usage: USAGE, options: {} });
  if ('exitCode' in commandLine) return commandLine.exitCode;
  const { reseal } = await import('./reseal');
  return reseal(env);
}
