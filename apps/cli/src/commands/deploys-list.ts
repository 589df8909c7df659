import { allItems, type App, type Deploy, operations } from '@homeport/api-client';
import { collect } from '../collect';
import { findAppOfProject } from '../find-app';
import { minuteOf, table } from '../terminal/format';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';
import { assertLimit } from './limit-option';

export const deploysListCommand = defineCommand({
  name: 'list',
  summary: 'List the deploys of an app, newest first',
  options: (yargs) =>
    withAppOption(yargs).option('limit', {
      type: 'number',
      default: 20,
      requiresArg: true,
      describe: 'Maximum number of deploys',
    }),
  run: async (context, { app: reference, limit }) => {
    assertLimit(limit);
    const homeport = await context.server();
    const app = await findAppOfProject(homeport, context.cwd, reference);
    const pages = allItems((cursor) =>
      operations.listDeploys({
        client: homeport.client,
        path: { id: app.id },
        query: { limit: Math.min(limit, 100), ...(cursor !== undefined && { cursor }) },
      }),
    );
    const deploys = await collect(pages, limit);
    context.terminal.result(deploys, () => table(['', '#', 'STATUS', 'CREATED', 'SOURCE', 'ID'], rowsOf(deploys, app)));
  },
});

function rowsOf(deploys: readonly Deploy[], app: App): string[][] {
  return deploys.map(({ id, number, status, created_at, source }) => [
    id === app.active_deploy_id ? '*' : '',
    String(number),
    status,
    minuteOf(created_at),
    [source?.branch, source?.commit?.slice(0, 8), source?.message].filter(Boolean).join(' ').slice(0, 60),
    id,
  ]);
}
