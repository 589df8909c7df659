import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { downloadFile } from '@homeport/api-client';
import { defineCommand } from './command';

export const filesCatCommand = defineCommand({
  name: 'cat <path>',
  summary: 'Write the bytes of a file to standard output',
  options: (yargs) =>
    yargs.positional('path', { type: 'string', demandOption: true, describe: 'Path in the workspace' }),
  run: async (context, { path }) => {
    const { body } = await downloadFile(await context.server(), path, { signal: context.signal });
    await pipeline(Readable.fromWeb(body as ReadableStream), context.terminal.streams.stdout, { end: false });
  },
});
