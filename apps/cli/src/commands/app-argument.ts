import type { Argv } from 'yargs';

/** The positional argument of commands for one app. */
export function withApp(yargs: Argv): Argv<{ app: string }> {
  return yargs.positional('app', { type: 'string', demandOption: true, describe: 'Id, subdomain or name of the app' });
}
