import { operations } from '@homeport/api-client';
import { CliError } from '../cli.errors';
import { collect } from '../collect';
import { filesWithPrefix, folderPrefix } from '../files/remote-files';
import { headOf } from '../files/remote-file';
import { inParallel } from '../in-parallel';
import { count } from '../terminal/format';
import { confirm } from '../terminal/question';
import { defineCommand } from './command';

const WIDTH = 8;

export const filesRmCommand = defineCommand({
  name: 'rm <path>',
  summary: 'Delete a file, or a folder with --recursive',
  options: (yargs) =>
    yargs
      .positional('path', { type: 'string', demandOption: true, describe: 'Path in the workspace' })
      .option('recursive', { type: 'boolean', default: false, alias: 'r', describe: 'Delete all files of a folder' })
      .option('yes', { type: 'boolean', default: false, describe: 'Delete without a question' }),
  run: async (context, { path, recursive, yes }) => {
    const homeport = await context.server();
    const found = recursive
      ? await collect(filesWithPrefix(homeport, folderPrefix(path), context.signal))
      : [{ key: path, etag: (await headOf(homeport, path)).etag }];
    if (found.length === 0)
      throw new CliError(`There is no file in "${path}".`, 'notFound', 'List the files with "homeport files ls -r".');
    const question = recursive ? `Delete ${count(found.length, 'file')} in ${path}?` : `Delete ${path}?`;
    if (!yes && !(await confirm(context.terminal, question, '--yes')))
      throw new CliError('Nothing was deleted.', 'interrupted');
    // Deletes the versions that were listed, and none that were written since.
    await inParallel(found, WIDTH, async ({ key, etag }) => {
      const headers = { 'If-Match': etag };
      await operations.deleteFile({ client: homeport.client, path: { path: key }, headers, signal: context.signal });
    });
    context.terminal.result({ deleted: found.map(({ key }) => key) }, () => `Deleted ${count(found.length, 'file')}.`);
  },
});
