import { operations } from '@homeport/api-client';
import { appIdOfProject } from '../find-app';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';

export const runtimeRestartCommand = defineCommand({
  name: 'restart',
  summary: 'Start new servers, and stop the old ones when the new ones are ready',
  options: withAppOption,
  run: async (context, { app }) => {
    const homeport = await context.server();
    const id = await appIdOfProject(homeport, context.cwd, app);
    await operations.restartRuntime({ client: homeport.client, path: { id } });
    context.terminal.result({ id, restarting: true }, () => 'The servers restart.');
  },
});
