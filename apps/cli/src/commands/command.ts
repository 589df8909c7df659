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
  return (contextFor) => {
    const module: CommandModule<object, T & GlobalOptions> = {
      command: name,
      describe: summary,
      // `run.ts` declares the global options for all commands.
      builder: (arguments_) => (options ? options(arguments_) : arguments_) as Argv<T & GlobalOptions>,
      handler: (parsed) => run(contextFor(parsed), parsed),
    };
    return module as CommandModule;
  };
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
