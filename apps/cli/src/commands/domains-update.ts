import { operations } from '@homeport/api-client';
import { UsageError } from '../cli.errors';
import { domainLines } from '../domains/domain-lines';
import { findDomain } from '../find-domain';
import { defineCommand } from './command';
import { withDomain } from './domain-argument';

export const domainsUpdateCommand = defineCommand({
  name: 'update <domain>',
  summary: 'Make a domain primary, redirect its visitors, or require https',
  options: (yargs) =>
    withDomain(yargs)
      .option('primary', { type: 'boolean', describe: 'Whether it is the address that is shown' })
      .option('redirect-to', { type: 'string', requiresArg: true, describe: 'Other name of the app for its visitors' })
      .option('serve', { type: 'boolean', default: false, describe: 'Show the app again instead of a redirect' })
      .option('hsts', { type: 'boolean', describe: 'Whether browsers are told to use https only' })
      .example('homeport domains update www.example.com --primary', 'Show this address for the app')
      .example('homeport domains update example.com --redirect-to www.example.com', 'Redirect visitors'),
  run: async (context, { domain: reference, primary, serve, hsts, ...options }) => {
    const target = options['redirect-to'];
    if (serve && target !== undefined)
      throw new UsageError('--serve and --redirect-to exclude each other.', 'Name one of them.');
    if (primary === undefined && hsts === undefined && target === undefined && !serve)
      throw new UsageError('Nothing is to be changed.', 'Add --primary, --redirect-to, --serve or --hsts.');
    const homeport = await context.server();
    const { id } = await findDomain(homeport, reference);
    const changed = await operations.updateDomain({
      client: homeport.client,
      path: { id },
      body: {
        ...(primary !== undefined && { is_primary: primary }),
        ...(target !== undefined && { redirect_to: target }),
        ...(serve && { redirect_to: null }),
        ...(hsts !== undefined && { hsts: hsts ? 'on' : 'off' }),
      },
    });
    context.terminal.result(changed, () => domainLines(changed));
  },
});
