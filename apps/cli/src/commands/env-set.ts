import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { type EnvironmentVariable, operations } from '@homeport/api-client';
import { UsageError } from '../cli.errors';
import type { Context } from '../context';
import { appIdOfProject } from '../find-app';
import { withAppOption } from './app-argument';
import { defineCommand } from './command';
import { parseAssignments, type Variable } from './variable-assignments';

export const envSetCommand = defineCommand({
  name: 'set [variables..]',
  summary: 'Set variables; the servers of the app restart',
  options: (yargs) =>
    withAppOption(yargs)
      .positional('variables', {
        type: 'string',
        array: true,
        default: [] as string[],
        describe: 'NAME=value, or one NAME whose value is read from standard input',
      })
      .option('file', { type: 'string', requiresArg: true, describe: 'Read variables from a file such as .env' })
      .option('scope', {
        choices: ['all', 'production', 'preview'] as const,
        default: 'all' as const,
        describe: 'Which deploys get the variables',
      })
      .example('homeport env set GREETING=Hello', 'Set a variable')
      .example('homeport env set API_KEY < key.txt', 'Keep a secret out of the history of the shell')
      .example('homeport env set --file .env --scope preview', 'Set the variables of a file'),
  lists: ['variables'],
  run: async (context, { app, variables, file, scope }) => {
    const wanted = new Map([
      ...(file === undefined ? [] : await readVariables(context, file)),
      ...(await parseAssignments(variables, (name) => readValue(context, name))),
    ]);
    if (wanted.size === 0) throw new UsageError('No variable is named.', 'Add NAME=value, NAME, or --file.');
    const homeport = await context.server();
    const path = { id: await appIdOfProject(homeport, context.cwd, app) };
    const entries: EnvironmentVariable[] = [];
    const names = () => entries.map(({ name }) => name).join(', ');
    for (const [name, value] of wanted) {
      const call = { client: homeport.client, path: { ...path, name }, body: { value, scope } };
      const entry = await operations.setVariable(call).catch((error: unknown) => {
        context.terminal.note(`${name} was not set.${entries.length > 0 ? ` Already set: ${names()}.` : ''}`);
        throw error;
      });
      entries.push(entry);
    }
    context.terminal.result(entries, () => `Set ${names()}.`);
  },
});

async function readVariables({ cwd }: Context, file: string): Promise<Variable[]> {
  const path = resolve(cwd, file);
  const content = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} is not a readable file.`);
  });
  const variables = Object.entries(parseEnv(content) as Record<string, string>);
  if (variables.length === 0) throw new UsageError(`${path} contains no variable.`);
  return variables;
}

/** A final line break belongs to the file or the terminal, not to the value. */
async function readValue({ terminal }: Context, name: string): Promise<string> {
  const { stdin } = terminal.streams;
  if (stdin.isTTY) terminal.note(`Enter the value of ${name}, then press Ctrl+D:`);
  return (await text(stdin)).replace(/\r?\n$/, '');
}
