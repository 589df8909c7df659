import { allItems, operations } from '@homeport/api-client';
import { collect } from '../collect';
import { filesWithPrefix, folderPrefix } from '../files/remote-files';
import { bytes, minuteOf, table } from '../terminal/format';
import { defineCommand } from './command';

export const filesLsCommand = defineCommand({
  name: 'ls [folder]',
  summary: 'List files',
  options: (yargs) =>
    yargs
      .positional('folder', { type: 'string', default: '', describe: 'Folder of the workspace' })
      .option('recursive', {
        type: 'boolean',
        default: false,
        alias: 'r',
        describe: 'Include the files of all subfolders',
      }),
  run: async (context, { folder, recursive }) => {
    const homeport = await context.server();
    const prefix = folderPrefix(folder);
    const directories: string[] = [];
    const level = allItems(async (cursor) => {
      const query = { delimiter: '/', ...(prefix && { prefix }), ...(cursor !== undefined && { cursor }) } as const;
      const page = await operations.listFiles({ client: homeport.client, query, signal: context.signal });
      directories.push(...page.directories);
      return page;
    });
    const items = await collect(recursive ? filesWithPrefix(homeport, prefix, context.signal) : level);
    context.terminal.result({ directories, items }, () =>
      table(
        ['SIZE', 'MODIFIED', 'PATH'],
        [
          ...directories.map((path) => ['', '', path]),
          ...items.map(({ key, size, modified_at }) => [bytes(size), minuteOf(modified_at), key]),
        ],
      ),
    );
  },
});
