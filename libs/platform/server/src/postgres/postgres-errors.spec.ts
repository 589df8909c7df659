import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { translatePostgresError, violatesConstraint } from './postgres-errors';

/** An error as node-postgres throws it. */
function pgError(code: string, more: Record<string, unknown> = {}): Error {
  return Object.assign(new Error('words of the driver'), { code, ...more });
}

/** An error as TypeORM throws it: with the error of the driver inside. */
function queryFailed(driverError: unknown): Error {
  return Object.assign(new Error('QueryFailedError: select * from secrets'), { driverError });
}

const UNAVAILABLE: readonly (readonly [string, Error])[] = [
  ...[
    '08000', // connection exception
    '08006', // connection failure
    '53100', // disk full
    '53300', // too many connections
    '57P01', // admin shutdown
    '57P02', // crash shutdown
    '28P01', // wrong password
    '57P03', // cannot connect now
    '57P05', // idle session timeout
    '57014', // query canceled: statement timeout
    '55P03', // lock not available
    '40001', // serialization failure
    '40P01', // deadlock
    '25P03', // idle in transaction timeout
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'EPIPE',
    'EAI_AGAIN',
  ].map((code) => [code, pgError(code)] as const),
  ...[
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Connection terminated',
    'Client has encountered a connection error and is not queryable',
  ].map((message) => [message, new Error(message)] as const),
];

const AVAILABLE: readonly (readonly [string, unknown])[] = [
  ...[
    '23505', // unique violation
    '23503', // foreign key violation
    '23514', // check violation
    '22001', // too long
    '42601', // syntax error
    '42P01', // no such table
    '25P02', // in a failed transaction
  ].map((code) => [code, pgError(code)] as const),
  ['a defect', new TypeError('undefined is not a function')],
  ['an error without a driver error', queryFailed(undefined)],
  ['a code in the middle of another', pgError('X08006')],
  ['a domain error', new DatabaseUnavailable()],
  ['an object that is not an error', { code: '08006' }],
  ['a text', 'Connection terminated'],
  ['nothing', undefined],
];

describe('translatePostgresError', () => {
  it.each(UNAVAILABLE)('maps to DatabaseUnavailable: %s', (_name, error) => {
    for (const thrown of [error, queryFailed(error)]) {
      const failure = translatePostgresError(thrown);
      expect(failure).toBeInstanceOf(DatabaseUnavailable);
      expect((failure as Error).cause).toBe(thrown);
      expect((failure as Error).message).not.toContain('secrets');
    }
  });

  it('recognises errors from another realm', () => {
    const error: unknown = runInNewContext("Object.assign(new Error('words'), { code: 'ECONNREFUSED' })");
    expect(error).not.toBeInstanceOf(Error);
    expect(translatePostgresError(error)).toBeInstanceOf(DatabaseUnavailable);
  });

  it.each(AVAILABLE)('returns %s unchanged', (_name, thrown) => {
    expect(translatePostgresError(thrown)).toBe(thrown);
  });
});

describe('violatesConstraint', () => {
  const error = pgError('23505', { constraint: 'apps_subdomain_key' });

  it('recognises a violation of the named unique constraint', () => {
    expect(violatesConstraint(error, 'apps_subdomain_key')).toBe(true);
    expect(violatesConstraint(queryFailed(error), 'apps_subdomain_key')).toBe(true);
  });

  it('rejects other constraints and other errors', () => {
    expect(violatesConstraint(error, 'apps_pkey')).toBe(false);
    expect(violatesConstraint(pgError('23503', { constraint: 'apps_subdomain_key' }), 'apps_subdomain_key')).toBe(
      false,
    );
    expect(violatesConstraint(queryFailed(undefined), 'apps_subdomain_key')).toBe(false);
    expect(violatesConstraint({ code: '23505', constraint: 'apps_subdomain_key' }, 'apps_subdomain_key')).toBe(false);
    expect(violatesConstraint(undefined, 'apps_subdomain_key')).toBe(false);
  });
});
