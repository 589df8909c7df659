import { operations } from '@homeport/api-client';
import { domainLines } from '../domains/domain-lines';
import { waitUntilActive } from '../domains/wait-until-active';
import { findDomain } from '../find-domain';
import { defineCommand } from './command';
import { withDomain, withWait } from './domain-argument';

export const domainsCheckCommand = defineCommand({
  name: 'check <domain>',
  summary: 'Check the DNS records of a domain now',
  options: (yargs) => withWait(withDomain(yargs)),
  run: async (context, { domain: reference, wait, timeout }) => {
    const homeport = await context.server();
    const { id } = await findDomain(homeport, reference);
    const domain = wait
      ? await waitUntilActive(context, id, timeout)
      : await operations.checkDomain({ client: homeport.client, path: { id } });
    context.terminal.result(domain, () => domainLines(domain));
  },
});
