import { type App, type Homeport, operations } from '@homeport/api-client';
import { CliError } from '../cli.errors';
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
      to === undefined ? await operations.rollBackApp({ client, path: { id } }) : await activate(homeport, id, to);
    context.terminal.result(app, () => `Deploy #${app.active_deploy?.number} of ${app.name} is live: ${app.url}`);
  },
});

/** @throws {CliError} for a deploy of another app, which would go live there. */
async function activate({ client }: Homeport, appId: string, id: string): Promise<App> {
  const { app_id } = await operations.getDeploy({ client, path: { id } });
  if (app_id === appId) return operations.activateDeploy({ client, path: { id } });
  const nextStep = 'List the deploys with "homeport deploys list --app <app>".';
  throw new CliError(`Deploy ${id} belongs to another app.`, 'notFound', nextStep);
}
