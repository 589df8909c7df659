import { parseArgs, type ParseArgsConfig } from 'node:util';

export type CommandOptions = NonNullable<ParseArgsConfig['options']>;

export interface Command<Options extends CommandOptions> {
  /** The arguments after the name of the command. */
  readonly args: readonly string[];
  /** What `--help` prints. */
  readonly usage: string;
  readonly options: Options;
}

export type CommandValues<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options }>
>['values'];

/** The exit code of a command that was called in a wrong way. */
export const USAGE_EXIT_CODE = 2;

/**
 * Reads the options of a command. With `--help` or `-h` it prints the usage, and with an unknown argument the reason and
 * the usage on standard error.
 * @returns the values, or the code with which the program exits instead of running the command.
 */
export function readCommandLine<const Options extends CommandOptions>({
  args,
  usage,
  options,
}: Command<Options>): { readonly values: CommandValues<Options> } | { readonly exitCode: number } {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(`${usage}\n`);
    return { exitCode: 0 };
  }
  try {
    return { values: parseArgs({ args: [...args], options }).values };
  } catch (error) {
    return { exitCode: rejectCommandLine((error as Error).message, usage) };
  }
}

/** Prints why a command cannot run, and its usage. @returns the exit code. */
export function rejectCommandLine(message: string, usage: string): number {
  const [reason = ''] = message.split('. ');
  process.stderr.write(`${reason.replace(/\.$/, '')}.\n\n${usage}\n`);
  return USAGE_EXIT_CODE;
}

/**
 * Answers the call of a program that has no command of that name.
 * @returns the exit code: 0 for `--help`.
 */
export function explainProgram(args: readonly string[], usage: string): number {
  const result = readCommandLine({ args, usage, options: {} });
  return 'exitCode' in result ? result.exitCode : rejectCommandLine('The command is missing', usage);
}
