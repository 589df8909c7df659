import 'reflect-metadata';
import { parseArgs } from 'node:util';
import type { Environment } from '@homeport/platform/server/config';
import { causeCodeOf } from '@homeport/platform/server/observability';
import { loadConfig } from '../config';
import { verify } from './verify';

export const USAGE = `Usage: node dist/api/apps/api/src/verify/main.js [--repair]

Compares the database with the storage, with the DNS zone and with the configured keys. It reads the environment of the
API, and can run while Homeport serves. Exit code 0: no fault. 1: faults. 2: it could not compare.

  --repair  restores and removes DNS records, removes blobs that the database does not know, and has lost blobs
            uploaded again by the next deploy that contains them`;

/** @returns the exit code. */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const options = optionsFrom(args);
  if (!options) {
    print(USAGE);
    return 2;
  }
  try {
    return (await verify({ config: loadConfig(env), ...options, print })) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`Homeport could not be verified: ${describe(error)}\n`);
    return 2;
  }
}

function optionsFrom(args: readonly string[]): { readonly repairs: boolean } | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { repair: { type: 'boolean', default: false } } });
    return { repairs: values.repair };
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause = causeCodeOf(error);
  return cause === undefined ? message : `${message} (${cause})`;
}
