import { operations } from '@homeport/api-client';
import { collect } from '../collect';
import { allApps, findApp } from '../find-app';
import { dayOf, table } from '../terminal/format';
import { defineCommand } from './command';

export const domainsListCommand = defineCommand({
  name: 'list',
  summary: 'List the domains of the organization, oldest first',
  options: (yargs) =>
    yargs.option('app', {
      type: 'string',
      requiresArg: true,
      describe: 'Only those of this app: id, subdomain or name',
    }),
  run: async (context, { app }) => {
    const homeport = await context.server();
    const { client } = homeport;
    const query = app === undefined ? {} : { app_id: (await findApp(homeport, app)).id };
    const { items } = await operations.listDomains({ client, query });
    const isNamed = !context.terminal.isJson && items.some(({ app_id }) => app_id !== null);
    const apps = new Map((isNamed ? await collect(allApps(homeport)) : []).map(({ id, subdomain }) => [id, subdomain]));
    context.terminal.result(items, () =>
      items.length === 0
        ? 'No domains. Add one with "homeport domains add www.example.com --app <app>".'
        : table(
            ['NAME', 'STATUS', 'SHOWS', 'PRIMARY', 'CERTIFICATE'],
            items.map(
              ({ name, status, kind, app_id, is_primary, redirect_to, certificate, certificate_expires_at }) => [
                name,
                status,
                redirect_to !== null
                  ? `-> ${redirect_to}`
                  : kind === 'base'
                    ? 'all apps'
                    : (apps.get(app_id ?? '') ?? 'no app'),
                is_primary ? 'yes' : 'no',
                certificate_expires_at === null ? certificate : `until ${dayOf(certificate_expires_at)}`,
              ],
            ),
          ),
    );
  },
});
