import { operations } from '@homeport/api-client';
import { findApp } from '../find-app';
import { withApp } from './app-argument';
import { defineCommand } from './command';

export const trustsDeleteCommand = defineCommand({
  name: 'delete <app> <trust>',
  summary: 'Delete a trust; its pipelines can no longer sign in',
  options: (yargs) =>
    withApp(yargs).positional('trust', { type: 'string', demandOption: true, describe: 'Id of the trust' }),
  run: async (context, { app, trust }) => {
    const homeport = await context.server();
    const { id } = await findApp(homeport, app);
    await operations.deleteTrust({ client: homeport.client, path: { id, trust } });
    context.terminal.result({ id: trust, deleted: true }, () => `Deleted ${trust}.`);
  },
});
