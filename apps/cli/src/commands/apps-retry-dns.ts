import { operations } from '@homeport/api-client';
import { findApp } from '../find-app';
import { appLines } from '../terminal/app-lines';
import { withApp } from './app-argument';
import { defineCommand } from './command';

export const appsRetryDnsCommand = defineCommand({
  name: 'retry-dns <app>',
  summary: 'Create the DNS record of an app again',
  options: withApp,
  run: async (context, { app: reference }) => {
    const homeport = await context.server();
    const { id } = await findApp(homeport, reference);
    const app = await operations.retryAppDns({ client: homeport.client, path: { id } });
    context.terminal.result(app, () => appLines(app));
  },
});
