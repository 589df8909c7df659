import { operations } from '@homeport/api-client';
import { appIdOfProject } from '../find-app';
import { minuteOf, table } from '../terminal/format';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';

export const envListCommand = defineCommand({
  name: 'list',
  summary: 'List variables; their values are never shown',
  options: withAppOption,
  run: async (context, { app }) => {
    const homeport = await context.server();
    const id = await appIdOfProject(homeport, context.cwd, app);
    const { items } = await operations.listVariables({ client: homeport.client, path: { id } });
    context.terminal.result(items, () =>
      items.length === 0
        ? 'No variables. Set one with "homeport env set NAME=value".'
        : table(
            ['NAME', 'SCOPE', 'CHANGED', 'BY'],
            items.map(({ name, scope, updated_at, updated_by }) => [name, scope, minuteOf(updated_at), updated_by]),
          ),
    );
  },
});
