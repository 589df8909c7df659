import { collect } from '../collect';
import { allApps } from '../find-app';
import { table } from '../terminal/format';
import { defineCommand } from './command';

export const appsListCommand = defineCommand({
  name: 'list',
  summary: 'List the apps of the organization, newest first',
  run: async (context) => {
    const apps = await collect(allApps(await context.server()));
    context.terminal.result(apps, () =>
      apps.length === 0
        ? 'No apps. Register one with "homeport apps register <name>".'
        : table(
            ['SUBDOMAIN', 'DNS', 'DEPLOYS', 'ADDRESS'],
            apps.map(({ subdomain, dns_status, deploy_count, url }) => [
              subdomain,
              dns_status.replace('dns-', ''),
              String(deploy_count),
              url,
            ]),
          ),
    );
  },
});
