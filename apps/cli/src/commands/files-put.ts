import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ApiProblem } from '@homeport/api-client';
import { CliError, UsageError } from '../cli.errors';
import { upload } from '../files/upload';
import { bytes } from '../terminal/format';
import { defineCommand } from './command';

export const filesPutCommand = defineCommand({
  name: 'put <file> [path]',
  summary: 'Upload a file',
  options: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'File on this machine' })
      .positional('path', {
        type: 'string',
        describe: 'Path in the workspace; a folder ends with /; default: the name of the file',
      })
      .option('force', { type: 'boolean', default: false, describe: 'Replace an existing file' })
      .option('if-match', { type: 'string', requiresArg: true, describe: 'Replace only the file with this entity tag' })
      .option('content-type', { type: 'string', requiresArg: true, describe: 'Media type; default: by the extension' }),
  run: async (context, { file, path = '', force, 'if-match': ifMatch, 'content-type': contentType }) => {
    const { terminal, signal, cwd } = context;
    const location = resolve(cwd, file);
    if (!(await stat(location).catch(() => undefined))?.isFile()) throw new UsageError(`${location} is not a file.`);
    const key = path === '' || path.endsWith('/') ? path + basename(location) : path;
    const entry = await upload(await context.server(), location, key, {
      signal,
      onProgress: (sent, total) => terminal.progress(`Sent ${bytes(sent)} of ${bytes(total ?? 0)}`),
      ...(contentType !== undefined && { contentType }),
      ...(ifMatch !== undefined ? { ifMatch } : !force && { ifNoneMatch: '*' }),
    }).catch((error: unknown) => {
      const isConflict = error instanceof ApiProblem && error.status === 412;
      if (!isConflict) throw error;
      const current = error.headers.get('etag');
      throw new CliError(
        `${key} exists${current === null ? '' : ` with the entity tag ${current}`}.`,
        'conflict',
        NEXT_STEP,
      );
    });
    terminal.result(entry, () => `Uploaded ${entry.key} (${bytes(entry.size)})`);
  },
});

const NEXT_STEP = 'Read it first, then repeat the command with --if-match and its entity tag, or with --force.';
