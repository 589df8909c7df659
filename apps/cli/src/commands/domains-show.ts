import { domainLines } from '../domains/domain-lines';
import { findDomain } from '../find-domain';
import { defineCommand } from './command';
import { withDomain } from './domain-argument';

export const domainsShowCommand = defineCommand({
  name: 'show <domain>',
  summary: 'Show a domain, its DNS records, and what each name server answered',
  options: withDomain,
  run: async (context, { domain: reference }) => {
    const domain = await findDomain(await context.server(), reference);
    context.terminal.result(domain, () => domainLines(domain));
  },
});
