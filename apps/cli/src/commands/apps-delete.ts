import { operations } from '@homeport/api-client';
import { CliError } from '../cli.errors';
import { findApp } from '../find-app';
import { count } from '../terminal/format';
import { confirm } from '../terminal/question';
import { withApp } from './app-argument';
import { defineCommand } from './command';

export const appsDeleteCommand = defineCommand({
  name: 'delete <app>',
  summary: 'Delete an app, its DNS record and its site',
  options: (yargs) =>
    withApp(yargs).option('yes', { type: 'boolean', default: false, describe: 'Delete without a question' }),
  run: async (context, { app: reference, yes }) => {
    const homeport = await context.server();
    const { id, name, subdomain } = await findApp(homeport, reference);
    if (!yes && !(await confirm(context.terminal, `Delete ${name} (${subdomain})?`, '--yes'))) {
      throw new CliError('Nothing was deleted.', 'interrupted');
    }
    const deletion = await operations.deleteApp({ client: homeport.client, path: { id } });
    context.terminal.result(deletion, () => [
      `Deleted ${name} and archived ${count(deletion.archived_deploys, 'deploy')}.`,
      ...(deletion.dns === 'dangling' ? ['The DNS record is removed in the background.'] : []),
    ]);
  },
});
