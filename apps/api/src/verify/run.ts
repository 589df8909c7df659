import 'reflect-metadata';
import type { Environment } from '@homeport/platform/server/config';
import { describeFailure, readCommandLine } from '@homeport/platform/server/process';

const USAGE = `Usage: node dist/api/apps/api/src/verify/main.js [--repair]

Compares the database with the storage, with the DNS zone and with the configured keys. It reads the environment of the
API, and can run while Homeport serves. Exit code 0: no fault. 1: faults. 2: it could not compare.

  --repair  restores and removes DNS records, removes blobs that the database does not know, has lost blobs uploaded
            again by the next deploy that contains them, and takes back lost blobs that are in the storage again`;

/** @returns the exit code. */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const commandLine = readCommandLine({ args, usage: USAGE, options: { repair: { type: 'boolean', default: false } } });
  if ('exitCode' in commandLine) return commandLine.exitCode;
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const [{ loadConfig }, { verify }] = await Promise.all([import('../config'), import('./verify')]);
  try {
    return (await verify({ config: loadConfig(env), repairs: commandLine.values.repair, print })) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`Homeport could not be verified: ${describeFailure(error)}\n`);
    return 2;
  }
}
