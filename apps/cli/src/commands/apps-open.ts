import open from 'open';
import { findApp } from '../find-app';
import { withApp } from './app-argument';
import { defineCommand } from './command';

export const appsOpenCommand = defineCommand({
  name: 'open <app>',
  summary: 'Open the site of an app in the browser, and print its address',
  options: (yargs) =>
    withApp(yargs).option('browser', { type: 'boolean', default: true, describe: 'Open the browser' }),
  run: async (context, { app: reference, browser }) => {
    const { url } = await findApp(await context.server(), reference);
    // Without a browser on this machine, the printed address is enough.
    if (browser) await open(url).catch(() => undefined);
    context.terminal.result({ url }, () => url);
  },
});
