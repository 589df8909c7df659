import 'reflect-metadata';
import type { Environment } from '@homeport/platform/server/config';
import { causeCodeOf } from '@homeport/platform/server/observability';
import { describeFailure, explainProgram, rejectCommandLine } from '@homeport/platform/server/process';

export const USAGE = `Usage: node dist/api/apps/api/src/main.js charges <command>

  export <month> [--format jsonl|csv]   prints the invoice lines of a charged month
  check [<month>] [--skip-storage]      checks that charges are accepted events × prices, and that the recorded sizes
                                        of workspaces are those in the storage; default: all due months
  correct <month> --organization <id> --amount <usd> --reference <number> --reason <text> --by <name> [--item <id>]
                                        adds a correction to a charge; a negative amount is in favor of the
                                        organization. A repeated reference has no effect.

A month has the form 2026-11. The commands read the environment of the API, and can run while Homeport serves. Exit
code 0: done, or nothing is wrong. 1: faults, or a refused command. 2: wrong arguments, or a dependency is unavailable.`;

/** @returns the exit code. */
export async function run(args: readonly string[], env: Environment): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return explainProgram(args, USAGE);
  const { chargeCommandFrom, InvalidArguments } = await import('./charge-command');
  const { runChargeCommand } = await import('./run-charge-command');
  const { loadConfig } = await import('../config');
  try {
    const command = chargeCommandFrom(args);
    return (await runChargeCommand(command, { config: loadConfig(env), write })) ? 0 : 1;
  } catch (error) {
    if (error instanceof InvalidArguments) return rejectCommandLine(error.message, USAGE);
    process.stderr.write(`The command failed: ${describeFailure(error)}\n`);
    return 2;
  }
}

/** Waits until the output is written, because it can be larger than the buffer of a pipe. Its reader may stop early. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error && causeCodeOf(error) !== 'EPIPE') reject(error);
      else resolve();
    });
  });
}
