import 'reflect-metadata';
import type { Environment } from '@homeport/platform/server/config';
import { readCommandLine } from '@homeport/platform/server/process';

const USAGE = `Usage: node dist/api/apps/api/src/main.js doctor [--json]

Checks the environment of the API against PostgreSQL, the storage, the DNS zone, the identity service and the
certificate authority. It creates and removes a probe object and probe records, and changes nothing else. It can run
before the first start, and while Homeport serves. Exit code 0: no fault. 1: faults. 2: an unknown argument.

  --json  prints one JSON document in place of lines`;

/** As shells report a command that Ctrl-C ended. */
const INTERRUPTED = 130;

/** @returns the exit code. */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  const commandLine = readCommandLine({ args, usage: USAGE, options: { json: { type: 'boolean', default: false } } });
  if ('exitCode' in commandLine) return commandLine.exitCode;
  const { examineConfiguration } = await import('./doctor');
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const interrupt = new AbortController();
  // The second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  const { signal: stop } = interrupt;
  const isFaultless = await examineConfiguration({ env, isJson: commandLine.values.json, print, stop });
  if (stop.aborted) return INTERRUPTED;
  return isFaultless ? 0 : 1;
}
