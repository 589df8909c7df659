import { UsageError } from '../cli.errors';

/** @throws {UsageError} for a number of results that a command does not print. */
export function assertLimit(limit: number | undefined): void {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= 1_000)) return;
  throw new UsageError('--limit must be from 1 to 1,000.');
}
