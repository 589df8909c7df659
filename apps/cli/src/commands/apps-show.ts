import { findApp } from '../find-app';
import { appLines } from '../terminal/app-lines';
import { withApp } from './app-argument';
import { defineCommand } from './command';

export const appsShowCommand = defineCommand({
  name: 'show <app>',
  summary: 'Show an app',
  options: withApp,
  run: async (context, { app: reference }) => {
    const app = await findApp(await context.server(), reference);
    context.terminal.result(app, () => appLines(app));
  },
});
