import { operations } from '@homeport/api-client';
import { defineCommand } from './command';

export const tokensRevokeCommand = defineCommand({
  name: 'revoke <id>',
  summary: 'Revoke a token',
  options: (yargs) =>
    yargs
      .positional('id', { type: 'string', demandOption: true, describe: 'Id of the token' })
      .option('personal', { type: 'boolean', default: false, describe: 'Revoke a personal token' }),
  run: async (context, { id, personal }) => {
    const { client } = await context.server();
    await (personal ? operations.revokePersonalToken : operations.revokeToken)({ client, path: { id } });
    context.terminal.result({ id, revoked: true }, () => `Revoked ${id}.`);
  },
});
