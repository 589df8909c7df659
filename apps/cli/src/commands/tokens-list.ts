import { operations } from '@homeport/api-client';
import { dayOf, table } from '../terminal/format';
import { defineCommand } from './command';

export const tokensListCommand = defineCommand({
  name: 'list',
  summary: 'List tokens; their secrets are never shown again',
  options: (yargs) =>
    yargs.option('personal', {
      type: 'boolean',
      default: false,
      describe: 'List your personal tokens instead of those of the organization',
    }),
  run: async (context, { personal }) => {
    const { client } = await context.server();
    const { items } = await (personal ? operations.listPersonalTokens({ client }) : operations.listTokens({ client }));
    context.terminal.result(items, () =>
      table(
        ['NAME', 'SCOPES', 'EXPIRES', 'LAST USED', 'ID'],
        items.map(({ id, name, scopes, expires_at, last_used_at }) => [
          name,
          scopes.join(' '),
          dayOf(expires_at),
          dayOf(last_used_at),
          id,
        ]),
      ),
    );
  },
});
