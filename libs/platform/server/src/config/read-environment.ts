import type { z } from 'zod';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Lists all invalid variables of the environment: names and reasons, never values. */
export class InvalidConfig extends Error {
  constructor(readonly issues: readonly string[]) {
    super(`The configuration is invalid:\n${issues.map((issue) => `  - ${issue}`).join('\n')}`);
  }
}

/**
 * Reads the known variables from an environment. Only a `main.ts` reads `process.env`.
 * An empty variable counts as unset, because compose files and shells pass unset variables as empty ones.
 * @throws {InvalidConfig} with all invalid variables.
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
