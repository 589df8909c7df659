import { type Homeport, operations } from '@homeport/api-client';
import { CliError, UsageError } from '../cli.errors';
import type { Context } from '../context';
import { domainLines, recordLines } from '../domains/domain-lines';
import { waitUntilActive } from '../domains/wait-until-active';
import { appIdOfProject } from '../find-app';
import { confirm } from '../terminal/question';
import { defineCommand } from './command';
import { withWait } from './domain-argument';

type Kind = 'hostname' | 'base';

interface AddOptions {
  readonly domain: string;
  readonly kind: Kind;
  readonly acceptPrice: number | undefined;
}

export const domainsAddCommand = defineCommand({
  name: 'add <domain>',
  summary: 'Add a domain, and print the DNS records to create',
  options: (yargs) =>
    withWait(yargs)
      .positional('domain', { type: 'string', demandOption: true, describe: 'Name, such as www.example.com' })
      .option('app', {
        type: 'string',
        requiresArg: true,
        describe: 'App to show: id, subdomain or name; default: that of homeport.json',
      })
      .option('base', { type: 'boolean', default: false, describe: 'Show all apps below the domain' })
      .option('accept-price', {
        type: 'number',
        requiresArg: true,
        describe: 'USD a month that you accept; without it, a terminal asks',
      })
      .example('homeport domains add www.example.com --app my-shop --accept-price 10', 'Show one app')
      .example('homeport domains add example.com --base --wait', 'Show all apps, and wait until it works'),
  run: async (context, { domain: name, app, base, wait, timeout, ...options }) => {
    if (base && app !== undefined) throw new UsageError('--app and --base exclude each other.', 'Name one of them.');
    const homeport = await context.server();
    const { client } = homeport;
    const appId = base ? undefined : await appIdOfProject(homeport, context.cwd, app);
    const kind: Kind = base ? 'base' : 'hostname';
    const accept_price_usd = await acceptedPrice(context, homeport, {
      ...{ domain: name, kind, acceptPrice: options['accept-price'] },
    });
    const body = { kind, name, ...(appId !== undefined && { app_id: appId }), accept_price_usd };
    const added = await operations.createDomain({ client, body });
    if (!wait) {
      context.terminal.result(added, () => [
        ...(base ? [`Apps here receive cookies set for ${added.name}.`] : []),
        `Create these DNS records for ${added.name}, then run "homeport domains check ${added.name} --wait":`,
        '',
        ...recordLines(added),
      ]);
      return;
    }
    context.terminal.note(`Create these DNS records for ${added.name}:\n\n${recordLines(added).join('\n')}\n`);
    const active = await waitUntilActive(context, added.id, timeout);
    context.terminal.result(active, () => domainLines(active));
  },
});

/** The price that the person accepts. @throws {CliError} when the person declines. */
async function acceptedPrice(
  { terminal }: Context,
  { client }: Homeport,
  { domain, kind, acceptPrice }: AddOptions,
): Promise<number> {
  if (acceptPrice !== undefined) return acceptPrice;
  const { prices_usd } = await operations.listDomains({ client });
  if (prices_usd === null) throw new CliError('The price is unavailable.', 'unavailable', 'Repeat the command later.');
  const price = prices_usd[kind];
  const question = `${domain} costs ${price} USD a month, from the day it works. Add it?`;
  if (price === 0 || (await confirm(terminal, question, `--accept-price ${price}`))) return price;
  throw new CliError('Nothing was added.', 'interrupted');
}
