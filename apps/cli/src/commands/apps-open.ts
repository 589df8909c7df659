import { findApp } from '../find-app';
import { openWebsite } from '../terminal/open-website';
import { withApp } from './app-argument';
import { defineCommand } from './command';

export const appsOpenCommand = defineCommand({
  name: 'open <app>',
  summary: 'Open the site of an app in the browser, and print its address',
  options: (yargs) =>
    withApp(yargs).option('browser', { type: 'boolean', default: true, describe: 'Open the browser' }),
  run: async (context, { app: reference, browser }) => {
    const { url } = await findApp(await context.server(), reference);
    if (browser) await openWebsite(url);
    context.terminal.result({ url }, () => url);
  },
});
