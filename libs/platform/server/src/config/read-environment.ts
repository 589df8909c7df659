import type { z } from 'zod';

/** Variables as a process is given them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the environment, all of it at once; names only, never values. */
export class InvalidConfig extends Error {
  constructor(readonly issues: readonly string[]) {
    super(`The configuration is not complete:\n${issues.map((issue) => `  - ${issue}`).join('\n')}`);
  }
}

/**
 * Reads the variables a process knows out of an environment. Pure: a `main.ts` is the only reader of `process.env`.
 * An empty variable counts as unset, because that is what compose files and shells make of it.
 * @throws {InvalidConfig}
 */
export function readEnvironment<Variables extends z.ZodType>(
  variables: Variables,
  env: Environment,
): z.output<Variables> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = variables.safeParse(given);
  if (!result.success) throw new InvalidConfig(result.error.issues.map(describeIssue));
  return result.data;
}

function describeIssue({ path, code, message, input }: z.core.$ZodIssue): string {
  const isMissing = code === 'invalid_type' && input === undefined;
  return `${path.join('.')} ${isMissing || message.startsWith('Invalid input: expected string, received undefined') ? 'is missing' : message}`;
}
