import { operations } from '@homeport/api-client';
import { UsageError } from '../cli.errors';
import type { Context } from '../context';
import { findApp } from '../find-app';
import { defineCommand } from './command';

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;
const PERSONAL_SCOPES = ['files:read', 'files:write'] as const;
const SCOPES = [
  ...['apps:read', 'apps:write', 'deploys:write', 'environment:write', 'logs:read'],
  ...['domains:write', 'usage:read', 'usage:write'],
] as const;
type OrganizationRequest = Parameters<typeof operations.createToken>[0]['body'];
type PersonalRequest = Parameters<typeof operations.createPersonalToken>[0]['body'];

interface TokenOptions {
  readonly name: string;
  readonly scope: readonly string[];
  readonly app?: string | undefined;
  readonly personal: boolean;
  readonly prefix?: string | undefined;
  readonly 'expires-in-days'?: number | undefined;
}

export const tokensCreateCommand = defineCommand<TokenOptions>({
  name: 'create <name>',
  summary: 'Create a token and print it once',
  options: (yargs) =>
    yargs
      .positional('name', { type: 'string', demandOption: true, describe: 'What the token is for' })
      .option('scope', {
        type: 'string',
        array: true,
        demandOption: true,
        choices: [...SCOPES, ...PERSONAL_SCOPES],
        describe: 'What the token may do; repeatable',
      })
      .option('app', { type: 'string', requiresArg: true, describe: 'The only app the token works for' })
      .option('personal', { type: 'boolean', default: false, describe: 'Create a token for your files' })
      .option('prefix', { type: 'string', requiresArg: true, describe: 'The only folder of a personal token' })
      .option('expires-in-days', {
        type: 'number',
        requiresArg: true,
        describe: 'Days until the token expires; default: it does not expire',
      })
      .example('homeport tokens create ci --app my-shop --scope deploys:write', 'A token that deploys one app')
      .example('homeport tokens create backup --personal --scope files:read', 'A token that reads your files'),
  lists: ['scope'],
  run: async (context, options) => {
    if (options.prefix !== undefined && !options.personal) throw new UsageError('--prefix needs --personal.');
    if (options.app !== undefined && options.personal) throw new UsageError('--app and --personal exclude each other.');
    const created = await create(context, options);
    context.terminal.result(created, () => created.token);
    if (!context.terminal.isJson) context.terminal.note('Store the token now: it is not shown again.');
  },
});

async function create(context: Context, { name, scope, app, prefix, ...options }: TokenOptions) {
  const homeport = await context.server();
  const { client } = homeport;
  const days = options['expires-in-days'];
  const common = { name, ...(days !== undefined && { expires_at: expiryIn(days) }) };
  // The API names the scopes that the kind of token cannot have.
  if (options.personal) {
    const scopes = scope as PersonalRequest['scopes'];
    return operations.createPersonalToken({
      client,
      body: { ...common, scopes, ...(prefix !== undefined && { prefix }) },
    });
  }
  const scopes = scope as OrganizationRequest['scopes'];
  const bound = app === undefined ? {} : { app_id: (await findApp(homeport, app)).id };
  return operations.createToken({ client, body: { ...common, scopes, ...bound } });
}

function expiryIn(days: number): string {
  if (!(days > 0 && days <= MAX_DAYS)) throw new UsageError(`--expires-in-days must be above 0, up to ${MAX_DAYS}.`);
  return new Date(Date.now() + days * DAY_MS).toISOString();
}
