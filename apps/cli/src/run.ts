import yargs from 'yargs';
import { UsageError } from './cli.errors';
import { appsCommand } from './commands/apps';
import type { Command } from './commands/command';
import { fishCompletionCommand } from './commands/completion-fish';
import { deployCommand } from './commands/deploy';
import { deploysCommand } from './commands/deploys';
import { domainsCommand } from './commands/domains';
import { envCommand } from './commands/env';
import { estimateCommand } from './commands/estimate';
import { filesCommand } from './commands/files';
import { loginCommand } from './commands/login';
import { logsCommand } from './commands/logs';
import { logoutCommand } from './commands/logout';
import { pricingCommand } from './commands/pricing';
import { rollbackCommand } from './commands/rollback';
import { runtimeCommand } from './commands/runtime';
import { tokensCommand } from './commands/tokens';
import { trustsCommand } from './commands/trusts';
import { whoamiCommand } from './commands/whoami';
import { Context } from './context';
import { readEnvironment, type Variables } from './environment';
import { reportError } from './terminal/report-error';
import { Terminal, type TerminalStreams } from './terminal/terminal';
import { VERSION } from './version';

const COMMANDS: readonly Command[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  appsCommand,
  deployCommand,
  deploysCommand,
  rollbackCommand,
  logsCommand,
  envCommand,
  runtimeCommand,
  domainsCommand,
  filesCommand,
  tokensCommand,
  trustsCommand,
  pricingCommand,
  estimateCommand,
];

export interface Invocation {
  readonly args: readonly string[];
  readonly variables: Variables;
  /** The person's folder. */
  readonly home: string;
  /** The current folder. */
  readonly cwd: string;
  readonly streams: TerminalStreams;
  readonly signal: AbortSignal;
}

/** yargs suggests a command without naming the wrong one. */
function usageMessage(message: string, args: readonly string[]): string {
  const text = message.replaceAll('\n', ' ');
  if (!text.startsWith('Did you mean')) return text;
  const end = args.findIndex((arg) => arg.startsWith('-'));
  const words = end === -1 ? args : args.slice(0, end);
  return `"homeport ${words.join(' ')}" is not a command. ${text}`;
}

/** Runs one command. @returns the exit code. */
export async function run({ args, variables, home, cwd, streams, signal }: Invocation): Promise<number> {
  const environment = readEnvironment(variables, home);
  const terminalFor = (isJson: boolean) => new Terminal(streams, isJson, environment.isPipeline);
  const contextFor = ({ json, url }: { json: boolean; url?: string | undefined }) =>
    new Context({ environment, terminal: terminalFor(json), cwd, signal, url });
  // As most programs do, print the help when no command is named.
  const parser = yargs(args.length === 0 ? ['--help'] : [...args])
    .scriptName('homeport')
    .usage('$0 <command>')
    .locale('en')
    .option('url', { type: 'string', describe: 'Address of the server', requiresArg: true })
    .option('json', { type: 'boolean', default: false, describe: 'Print the result as JSON' })
    .parserConfiguration({ 'boolean-negation': true, 'camel-case-expansion': false, 'strip-aliased': true })
    .command(COMMANDS.map((command) => command(contextFor)))
    .demandCommand(1, 'Name a command.')
    .recommendCommands()
    .strict()
    .wrap(Math.min(100, streams.stdout.columns ?? 80))
    .version(VERSION)
    .epilogue('Documentation: docs/cli.md')
    .exitProcess(false)
    .fail((message: string, error: Error | undefined) => {
      // yargs throws its own errors for some of the wrong command lines.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw new UsageError(usageMessage(message, args));
    });
  // yargs finds out whether to print its script for bash or for zsh.
  if (variables['SHELL']?.endsWith('/fish')) parser.command(fishCompletionCommand(contextFor));
  else parser.completion('completion', 'Print the completion script of your shell');
  try {
    await parser.parseAsync();
    return 0;
  } catch (error) {
    return reportError(terminalFor(args.includes('--json')), signal.aborted ? signal.reason : error);
  }
}
