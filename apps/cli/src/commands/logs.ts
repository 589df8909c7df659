import { CliError } from '../cli.errors';
import { defineCommand } from './command';

export const logsCommand = defineCommand({
  name: 'logs [app]',
  summary: 'Show the logs of an app (there are none yet)',
  options: (yargs) => yargs.positional('app', { type: 'string', describe: 'Id, subdomain or name' }),
  run: async () => {
    const nextStep = 'See "homeport deploys show <id>" for the problems that a deploy has.';
    throw new CliError('Apps have no logs yet: Homeport serves static files and runs no code.', 'notFound', nextStep);
  },
});
