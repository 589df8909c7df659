import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CliError } from '../cli.errors';
import { download } from '../files/download';
import { headOf } from '../files/remote-file';
import { bytes } from '../terminal/format';
import { defineCommand } from './command';

export const filesGetCommand = defineCommand({
  name: 'get <path> [target]',
  summary: 'Download a file; an interrupted download is continued',
  options: (yargs) =>
    yargs
      .positional('path', { type: 'string', demandOption: true, describe: 'Path in the workspace' })
      .positional('target', { type: 'string', default: '.', describe: 'File or folder on this machine' })
      .option('force', { type: 'boolean', default: false, describe: 'Replace an existing file' }),
  run: async (context, { path, target: given, force }) => {
    const { terminal, signal, cwd } = context;
    const homeport = await context.server();
    const target = await targetIn(resolve(cwd, given), path);
    if (!force && (await stat(target).catch(() => undefined))) {
      throw new CliError(`${target} exists.`, 'conflict', 'Repeat the command with --force to replace it.');
    }
    const { etag, size } = await headOf(homeport, path);
    const onProgress = (received: number) => terminal.progress(`Received ${bytes(received)} of ${bytes(size)}`);
    await download(homeport, { path, target, etag, size, signal, onProgress });
    terminal.result({ path, target, size, etag }, () => `Downloaded ${path} (${bytes(size)}) to ${target}`);
  },
});

async function targetIn(given: string, path: string): Promise<string> {
  const isFolder = (await stat(given).catch(() => undefined))?.isDirectory() ?? false;
  return isFolder ? join(given, basename(path)) : given;
}
