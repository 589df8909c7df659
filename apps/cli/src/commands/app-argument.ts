import type { Argv } from 'yargs';

/** The positional argument of commands for one app. */
export function withApp(yargs: Argv): Argv<{ app: string }> {
  return yargs.positional('app', { type: 'string', demandOption: true, describe: 'Id, subdomain or name of the app' });
}

/** The option of commands whose app is that of the project by default. */
export function withAppOption(yargs: Argv): Argv<{ app: string | undefined }> {
  return yargs.option('app', {
    type: 'string',
    requiresArg: true,
    describe: 'Id, subdomain or name; default: that of homeport.json',
  });
}
