import 'reflect-metadata';
import { parseArgs } from 'node:util';
import type { Environment } from '@homeport/platform/server/config';
import { examineConfiguration } from './doctor';

export const USAGE = `Usage: node dist/api/apps/api/src/main.js doctor [--json]

Checks the environment of the API against PostgreSQL, the storage, the DNS zone, the identity service and the
certificate authority. It creates and removes a probe object and probe records, and changes nothing else. It can run
before the first start, and while Homeport serves. Exit code 0: no fault. 1: faults.

  --json  prints one JSON document in place of lines`;

/** @returns the exit code. */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const options = optionsFrom(args);
  if (options) return (await examineConfiguration({ env, ...options, print })) ? 0 : 1;
  print(USAGE);
  return 1;
}

function optionsFrom(args: readonly string[]): { readonly isJson: boolean } | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
    return { isJson: values.json };
  } catch {
    return undefined;
  }
}
