import { isNativeError } from 'node:util/types';
import { DatabaseUnavailable } from '@homeport/kernel';

/**
 * SQLSTATE classes and codes of an unavailable database: connection lost or refused, shutdown, overload, timeout.
 * A wrong password (28) is included: no request can be served until an operator corrects it.
 */
const UNAVAILABLE_CODES = /^(08|28|3D000|53|57P0|57014|55P03|40001|40P01|25P03)/;

/** The codes of concurrent access to the same rows: lock not available, serialization failure, deadlock. */
const CONTENTION_CODES = /^(55P03|40001|40P01)/;

/** @returns `DatabaseUnavailable` when the error means that the database is unavailable, otherwise the error itself. */
export function translatePostgresError(error: unknown): unknown {
  return isUnavailable(error) ? new DatabaseUnavailable({ cause: error }) : error;
}

/** Whether the query failed only because of concurrent access to the same rows. */
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
  // Not `instanceof Error`: the error of a socket may come from another realm.
  if (!isNativeError(error)) return undefined;
  return 'driverError' in error ? (error.driverError as DriverError) : (error as DriverError);
}

function isUnavailable(error: unknown): boolean {
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
