import { DatabaseUnavailable } from '@homeport/kernel';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { translatePostgresError } from '../postgres/postgres-errors';

/** @returns `DatabaseUnavailable` when the error means that the database is unavailable, otherwise the error itself. */
export function translateDatabaseError(error: unknown): unknown {
  return isReleased(error) ? new DatabaseUnavailable({ cause: error }) : translatePostgresError(error);
}

/** TypeORM releases a connection that breaks between two queries; the next query on it then throws these errors. */
function isReleased(error: unknown): boolean {
  return error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError;
}
