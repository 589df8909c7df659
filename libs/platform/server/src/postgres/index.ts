export { violatesConstraint } from './postgres-errors';
export { PostgresPool } from './postgres-pool';
export type { PostgresPoolOptions } from './postgres-pool';
export { PostgresNotifications } from './postgres-notifications';
export type { Query } from './query';
export type { PoolUse } from './query-queue';
