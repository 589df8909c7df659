import type { PoolConfig } from 'pg';
import type { SlowStatements } from './slow-statements';
import { clientsWith } from './timeout-closing-client';

export interface ConnectionLimits {
  readonly poolSize: number;
  /** Milliseconds a query may take before its connection is closed; 2,500 by default. */
  readonly queryTimeoutMs?: number;
}

/**
 * The settings of a connection pool with a limit for every wait. node-postgres has no time limits by default, and a
 * frozen server does not enforce its statement timeout, so the client has a timeout too.
 */
export function connectionSettings(
  { poolSize, queryTimeoutMs = 2_500 }: ConnectionLimits,
  slowStatements: SlowStatements,
): PoolConfig {
  return {
    Client: clientsWith(slowStatements),
    max: poolSize,
    connectionTimeoutMillis: 500,
    statement_timeout: 2_000,
    query_timeout: queryTimeoutMs,
    lock_timeout: 1_000,
    idle_in_transaction_session_timeout: 5_000,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
  };
}
