import { operations } from '@homeport/api-client';
import { findApp } from '../find-app';
import { table } from '../terminal/format';
import { withApp } from './app-argument';
import { defineCommand } from './command';

export const trustsListCommand = defineCommand({
  name: 'list <app>',
  summary: 'List the trusts of an app',
  options: withApp,
  run: async (context, { app }) => {
    const homeport = await context.server();
    const { id } = await findApp(homeport, app);
    const { items } = await operations.listTrusts({ client: homeport.client, path: { id } });
    context.terminal.result(items, () =>
      table(
        ['ISSUER', 'CLAIMS', 'SCOPES', 'ID'],
        items.map((trust) => [
          trust.issuer,
          Object.entries(trust.claims)
            .map(([name, value]) => `${name}=${value}`)
            .join(' '),
          trust.scopes.join(' '),
          trust.id,
        ]),
      ),
    );
  },
});
