import type { Homeport } from '@homeport/api-client';
import { UsageError } from '../cli.errors';
import { findApp } from '../find-app';
import { type Token, tokensPath } from '../tokens';
import { defineCommand } from './command';

const DAY_MS = 86_400_000;

export const tokensCreateCommand = defineCommand({
  name: 'create <name>',
  summary: 'Create a token and print it once',
  options: (yargs) =>
    yargs
      .positional('name', { type: 'string', demandOption: true, describe: 'What the token is for' })
      .option('scope', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'For example deploys:write; repeatable',
      })
      .option('app', { type: 'string', requiresArg: true, describe: 'The only app the token works for' })
      .option('personal', { type: 'boolean', default: false, describe: 'A token for your files' })
      .option('prefix', {
        type: 'string',
        requiresArg: true,
        describe: 'The only folder a personal token works for',
      })
      .option('expires-in-days', { type: 'number', describe: 'Default: does not expire' })
      .check(({ app, personal, prefix }) => {
        if (prefix !== undefined && !personal) throw new UsageError('--prefix needs --personal.');
        if (app !== undefined && personal) throw new UsageError('--app and --personal exclude each other.');
        return true;
      }),
  run: async (context, { name, scope, app, personal, prefix, 'expires-in-days': days }) => {
    const homeport = await context.server();
    const body = {
      name,
      scopes: scope,
      ...(app !== undefined && { app_id: (await findApp(homeport, app)).id }),
      ...(prefix !== undefined && { prefix }),
      ...(days !== undefined && { expires_at: expiryIn(days) }),
    };
    const created = await create(homeport, tokensPath(personal), body);
    context.terminal.result(created, () => created.token);
    if (!context.terminal.isJson) context.terminal.note('Store the token now: it is not shown again.');
  },
});

async function create(homeport: Homeport, path: string, body: object): Promise<Token & { readonly token: string }> {
  const headers = { 'content-type': 'application/json' };
  const response = await homeport.send({ method: 'POST', path, headers, body: JSON.stringify(body) });
  return (await response.json()) as Token & { token: string };
}

function expiryIn(days: number): string {
  if (!(days > 0)) throw new UsageError('--expires-in-days must be above 0.');
  return new Date(Date.now() + days * DAY_MS).toISOString();
}
