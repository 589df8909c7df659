import { randomUUID } from 'node:crypto';
import { operations } from '@homeport/api-client';
import { appLines } from '../terminal/app-lines';
import { defineCommand } from './command';

export const appsRegisterCommand = defineCommand({
  name: 'register <name>',
  summary: 'Register an app and create its DNS record',
  options: (yargs) =>
    yargs.positional('name', { type: 'string', demandOption: true, describe: 'Name of the app' }).option('type', {
      choices: ['static', 'ssr'] as const,
      default: 'static' as const,
      describe: 'static: files only; ssr: with a server that renders pages',
    }),
  run: async (context, { name, type }) => {
    const { client } = await context.server();
    // With the key, a repeated request returns the first answer instead of "taken".
    const headers = { 'Idempotency-Key': randomUUID() };
    const app = await operations.registerApp({ client, body: { name, type }, headers, signal: context.signal });
    context.terminal.result(app, () => appLines(app));
  },
});
