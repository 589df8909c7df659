import { UsageError } from '../cli.errors';

export type Variable = readonly [name: string, value: string];

/**
 * Parses the arguments of `env set`: `NAME=value`, and at most one `NAME` alone.
 * @param readValue reads the value of a name alone.
 * @throws {UsageError}
 */
export async function parseAssignments(
  args: readonly string[],
  readValue: (name: string) => Promise<string>,
): Promise<Variable[]> {
  const isAlone = (arg: string) => !arg.includes('=');
  if (args.filter(isAlone).length > 1)
    throw new UsageError('Only the value of one variable can be read from standard input.', 'Add values: NAME=value.');
  const variables: Variable[] = [];
  for (const arg of args) {
    const end = arg.indexOf('=');
    variables.push(isAlone(arg) ? [arg, await readValue(arg)] : [arg.slice(0, end), arg.slice(end + 1)]);
  }
  return variables;
}
