import { operations } from '@homeport/api-client';
import { appIdOfProject } from '../find-app';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';

export const envRemoveCommand = defineCommand({
  name: 'remove <names..>',
  summary: 'Remove variables; the servers of the app restart',
  options: (yargs) =>
    withAppOption(yargs).positional('names', {
      type: 'string',
      array: true,
      demandOption: true,
      describe: 'Names of variables',
    }),
  lists: ['names'],
  run: async (context, { app, names }) => {
    const homeport = await context.server();
    const id = await appIdOfProject(homeport, context.cwd, app);
    for (const name of names) await operations.deleteVariable({ client: homeport.client, path: { id, name } });
    context.terminal.result({ removed: names }, () => `Removed ${names.join(', ')}.`);
  },
});
