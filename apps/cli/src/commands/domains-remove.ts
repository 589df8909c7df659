import { operations } from '@homeport/api-client';
import { CliError } from '../cli.errors';
import { findDomain } from '../find-domain';
import { confirm } from '../terminal/question';
import { defineCommand } from './command';
import { withDomain } from './domain-argument';

export const domainsRemoveCommand = defineCommand({
  name: 'remove <domain>',
  summary: 'Remove a domain; it stops showing apps at once',
  options: (yargs) =>
    withDomain(yargs).option('yes', { type: 'boolean', default: false, describe: 'Remove without a question' }),
  run: async (context, { domain: reference, yes }) => {
    const homeport = await context.server();
    const { id, name } = await findDomain(homeport, reference);
    if (!yes && !(await confirm(context.terminal, `Remove ${name}? It stops showing apps at once.`, '--yes'))) {
      throw new CliError('Nothing was removed.', 'interrupted');
    }
    await operations.deleteDomain({ client: homeport.client, path: { id } });
    context.terminal.result({ id, name, deleted: true }, () => `Removed ${name}. Its DNS records can be deleted too.`);
  },
});
