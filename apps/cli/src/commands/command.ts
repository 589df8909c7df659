import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
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
  readonly run: (context: Context, options: ArgumentsCamelCase<T>) => Promise<void>;
}

export function defineCommand<T = object>({ name, summary, options, run }: Definition<T>): Command {
  return (contextFor) => ({
    command: name,
    describe: summary,
    builder: (arguments_: Argv) => (options ? options(arguments_) : arguments_) as Argv,
    handler: (parsed) =>
      run(contextFor(parsed as unknown as GlobalOptions), parsed as unknown as ArgumentsCamelCase<T>),
  });
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
