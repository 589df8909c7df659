import type { Environment } from '@homeport/platform/server/config';
import { explainProgram, readCommandLine } from '@homeport/platform/server/process';

const USAGE = `Usage: node dist/api/apps/runtime/src/main.js [doctor]

Starts the runtime, which runs the servers of apps. docs/operations.md describes the variables that it reads.

  doctor  tries every wall of the sandboxes on this machine
  --help  prints this text; after a command, that of the command`;

const DOCTOR_USAGE = `Usage: node dist/api/apps/runtime/src/main.js doctor

Starts each sandbox on this machine, lets it try all of its walls, and prints why one is not usable and what to do. It
reads RUNTIME_SANDBOX, RUNTIME_NODE and RUNTIME_DIR, and needs no service. Exit code 0: the sandbox in RUNTIME_SANDBOX,
or without it one of them, is usable. 1: none is.`;

/**
 * Runs a command of the runtime in place of the server.
 * @returns the exit code.
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<number> {
  const [command, ...rest] = args;
  if (command !== 'doctor') return explainProgram(args, USAGE);
  const commandLine = readCommandLine({ args: rest, usage: DOCTOR_USAGE, options: {} });
  if ('exitCode' in commandLine) return commandLine.exitCode;
  const { examineMachine } = await import('./doctor');
  return (await examineMachine(env, (line) => void process.stdout.write(`${line}\n`))) ? 0 : 1;
}
