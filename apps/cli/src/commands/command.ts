import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { UsageError } from '../cli.errors';
import type { Context } from '../context';

export interface GlobalOptions {
  readonly json: boolean;
  readonly url?: string | undefined;
}

/** Creates the context of a command from the global options. */
export type ContextFactory = (options: GlobalOptions) => Context;
export type Command = (contextFor: ContextFactory) => CommandModule;

interface Definition<T> {
  /** Name and positional arguments, for example `show <app>`. */
  readonly name: string;
  readonly summary: string;
  readonly options?: (arguments_: Argv) => Argv<T>;
  /** The options and arguments that take several values; others must not be repeated. */
  readonly lists?: readonly string[];
  readonly run: (context: Context, options: ArgumentsCamelCase<T>) => Promise<void>;
}

export function defineCommand<T = object>({ name, summary, options, lists = [], run }: Definition<T>): Command {
  return (contextFor) => {
    const module: CommandModule<object, T & GlobalOptions> = {
      command: name,
      describe: summary,
      // `run.ts` declares the global options for all commands.
      builder: (arguments_) =>
        (options ? options(arguments_) : arguments_).check((values) => assertNotRepeated(values, lists)) as Argv<
          T & GlobalOptions
        >,
      handler: (parsed) => run(contextFor(parsed), parsed),
    };
    return module as CommandModule;
  };
}

/** yargs collects the values of a repeated option in a list. @throws {UsageError} */
function assertNotRepeated(values: Readonly<Record<string, unknown>>, lists: readonly string[]): true {
  const repeated = Object.keys(values).find(
    (name) => Array.isArray(values[name]) && name !== '_' && !lists.includes(name),
  );
  if (repeated !== undefined) throw new UsageError(`--${repeated} is repeated.`, 'Name it once.');
  return true;
}

/** A command that only has subcommands. */
export function defineGroup(name: string, summary: string, commands: readonly Command[]): Command {
  return (contextFor) => ({
    command: name,
    describe: summary,
    builder: (arguments_: Argv) =>
      arguments_
        .command(commands.map((command) => command(contextFor)))
        .demandCommand(1, `Name a command of "homeport ${name}".`),
    handler: () => undefined,
  });
}
