import type { Argv } from 'yargs';

/** The positional argument of commands for one domain. */
export function withDomain(yargs: Argv): Argv<{ domain: string }> {
  return yargs.positional('domain', { type: 'string', demandOption: true, describe: 'Name or id of the domain' });
}

/** The options of commands that can wait for a domain. */
export function withWait<T>(yargs: Argv<T>): Argv<T & { wait: boolean; timeout: number }> {
  return yargs
    .option('wait', { type: 'boolean', default: false, describe: 'Check until the domain is active' })
    .option('timeout', {
      type: 'number',
      default: 10,
      requiresArg: true,
      describe: 'Minutes to wait at most; then the exit code is 7',
    });
}
