import { operations } from '@homeport/api-client';
import { failureLines } from '../terminal/failure-lines';
import { bytes, count } from '../terminal/format';
import { defineCommand } from './command';

export const deploysShowCommand = defineCommand({
  name: 'show <id>',
  summary: 'Show a deploy with its problems',
  options: (yargs) => yargs.positional('id', { type: 'string', demandOption: true, describe: 'Id of the deploy' }),
  run: async (context, { id }) => {
    const { client } = await context.server();
    const deploy = await operations.getDeploy({ client, path: { id } });
    context.terminal.result(deploy, () => [
      `Deploy #${deploy.number}: ${deploy.status}, ${count(deploy.file_count, 'file')}, ${bytes(deploy.total_bytes)}`,
      `Preview: ${deploy.url}`,
      ...(deploy.framework === null ? [] : [`Server:  ${deploy.framework}`]),
      ...failureLines(deploy),
      ...deploy.problems.map(({ path, line, reason }) => `${path}${line === null ? '' : `:${line}`}: ${reason}`),
    ]);
  },
});
