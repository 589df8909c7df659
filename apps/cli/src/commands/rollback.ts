import { operations } from '@homeport/api-client';
import { findAppOfProject } from '../find-app';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';

export const rollbackCommand = defineCommand({
  name: 'rollback',
  summary: 'Activate the previous deploy of an app, or the one that --to names',
  options: (yargs) =>
    withAppOption(yargs).option('to', { type: 'string', requiresArg: true, describe: 'Id of a deploy' }),
  run: async (context, { app: reference, to }) => {
    const homeport = await context.server();
    const { client } = homeport;
    const { id } = await findAppOfProject(homeport, context.cwd, reference);
    const app =
      to === undefined
        ? await operations.rollBackApp({ client, path: { id } })
        : await operations.activateDeploy({ client, path: { id: to } });
    context.terminal.result(app, () => `Deploy #${app.active_deploy?.number} of ${app.name} is live: ${app.url}`);
  },
});
