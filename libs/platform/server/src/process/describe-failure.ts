import { InvalidConfig } from '../config/read-environment';
import { causeCodeOf } from '../observability';

/** A table or a column does not exist. */
const OTHER_SCHEMA = ['42P01', '42703'];

/** Tells an operator why a command failed, in one line, or in one for each invalid setting. It contains no secret. */
export function describeFailure(error: unknown): string {
  if (error instanceof InvalidConfig) return error.message;
  const code = causeCodeOf(error);
  if (OTHER_SCHEMA.includes(code)) {
    return `The database has other tables than this version (${code}). Correct DATABASE_URL, or start the API once: it creates the tables.`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return `${message} (${code}) The command main.js doctor names the setting to correct.`;
}
