import { allItems, followLog, type Homeport, type LogLine, operations } from '@homeport/api-client';
import { UsageError } from '../cli.errors';
import { collect } from '../collect';
import type { Context } from '../context';
import { appIdOfProject } from '../find-app';
import { logLine } from '../terminal/log-line';
import { defineCommand } from './command';
import { assertLimit } from './limit-option';
import { parseSince } from './log-options';

interface Selection {
  readonly deploy?: string;
  /** A time of RFC 3339. */
  readonly since?: string;
}

export const logsCommand = defineCommand({
  name: 'logs [app]',
  summary: 'Show the log of the server of an SSR app',
  options: (yargs) =>
    yargs
      .positional('app', { type: 'string', describe: 'Id, subdomain or name; default: that of homeport.json' })
      .option('follow', { alias: 'f', type: 'boolean', default: false, describe: 'Wait for new lines, until Ctrl+C' })
      .option('deploy', { type: 'string', requiresArg: true, describe: 'Only the lines of the deploy with this id' })
      .option('stream', { choices: ['stdout', 'stderr', 'system'] as const, describe: 'Only the lines of this stream' })
      .option('since', { type: 'string', requiresArg: true, describe: 'A time, or a duration such as 10m, 2h or 7d' })
      .option('limit', {
        type: 'number',
        requiresArg: true,
        describe: 'Maximum number of lines, of all streams; default: the last 100, or all with --since',
      })
      .example('homeport logs my-shop -f', 'Follow the log')
      .example('homeport logs my-shop --since 1h --stream stderr', 'Errors of the last hour'),
  run: async (context, { app, follow, deploy, stream, since, limit }) => {
    assertLimit(limit);
    if (follow && since !== undefined && limit !== undefined)
      throw new UsageError('--limit does not apply to --follow with --since.');
    const selection = {
      ...(deploy !== undefined && { deploy }),
      ...(since !== undefined && { since: parseSince(since, Date.now()) }),
    };
    const homeport = await context.server();
    const id = await appIdOfProject(homeport, context.cwd, app);
    const print = async (line: LogLine) => {
      if (stream === undefined || line.stream === stream) await context.terminal.resultLine(line, logLine(line));
    };
    const lines = await recentLines(homeport, id, selection, limit);
    for (const line of lines) await print(line);
    if (follow) return followFrom(context, { homeport, id, after: lines.at(-1)?.id ?? '0', ...selection, print });
    if (lines.length === 0) context.terminal.note('There are no such lines. Only servers of SSR apps write a log.');
  },
});

async function recentLines(
  { client }: Homeport,
  id: string,
  selection: Selection,
  limit: number | undefined,
): Promise<LogLine[]> {
  const query = { ...selection, ...(limit !== undefined && { limit }) };
  // Without a time there is one page: the last lines.
  const pages = allItems((cursor) =>
    operations.listLogLines({ client, path: { id }, query: { ...query, ...(cursor !== undefined && { cursor }) } }),
  );
  return collect(pages, limit);
}

interface Following extends Selection {
  readonly homeport: Homeport;
  readonly id: string;
  /** Id of the last printed line. */
  readonly after: string;
  readonly print: (line: LogLine) => Promise<void>;
}

/** Prints new lines until the person interrupts. */
async function followFrom(
  { terminal, signal }: Context,
  { homeport, id, print, ...selection }: Following,
): Promise<void> {
  let isInterrupted = false;
  const onInterruption = (error: unknown) => {
    if (!isInterrupted) terminal.note(`${(error as Error).message}. Reconnecting …`);
    isInterrupted = true;
  };
  terminal.progress('Waiting for lines; Ctrl+C ends.');
  try {
    for await (const line of followLog(homeport, id, { ...selection, signal, onInterruption })) {
      isInterrupted = false;
      await print(line);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    terminal.clearProgress();
  }
}
