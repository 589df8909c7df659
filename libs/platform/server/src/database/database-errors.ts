import { isNativeError } from 'node:util/types';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { DatabaseUnavailable } from '../problems/platform.errors';

/**
 * SQLSTATE classes and codes that mean "not now": connection lost or refused, shutting down, overloaded, timed out.
 * A wrong password (28) is one: no request can be served until an operator corrects it.
 */
const UNAVAILABLE_CODES = /^(08|28|3D000|53|57P0|57014|55P03|40001|40P01|25P03)/;

/** Of these, what tells of others at the same rows, and nothing of the database: no lock, no order, a deadlock. */
const CONTENTION_CODES = /^(55P03|40001|40P01)/;

/** A failure of the database by its name; one that says "not now" is DatabaseUnavailable, others are what they were. */
export function translateDatabaseError(error: unknown): unknown {
  return isUnavailable(error) ? new DatabaseUnavailable({ cause: error }) : error;
}

/** Whether the database is there, and others are at the same rows. */
export function isContention(error: unknown): boolean {
  return CONTENTION_CODES.test(driverErrorOf(error)?.code ?? '');
}

/** Whether `error` is a violation of the named unique or check constraint. */
export function violatesConstraint(error: unknown, constraint: string): boolean {
  const driver = driverErrorOf(error);
  return /^(23505|23514)$/.test(driver?.code ?? '') && driver?.constraint === constraint;
}

interface DriverError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
}

function driverErrorOf(error: unknown): DriverError | undefined {
  // Not `instanceof Error`: an error of a socket may come from another realm, and is one all the same.
  if (!isNativeError(error)) return undefined;
  return 'driverError' in error ? (error.driverError as DriverError) : (error as DriverError);
}

function isUnavailable(error: unknown): boolean {
  // TypeORM gives back a connection that breaks between two queries, and says so to whoever asks the next one.
  if (error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError) {
    return true;
  }
  const driver = driverErrorOf(error);
  if (!driver) return false;
  const code = driver.code ?? '';
  return (
    UNAVAILABLE_CODES.test(code) ||
    /^(ECONN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EAI_)/.test(code) ||
    /timeout exceeded|Query read timeout|Connection terminated|Client has encountered a connection error/i.test(
      driver.message ?? '',
    )
  );
}
