export { violatesConstraint } from './postgres-errors';
export { PostgresPool } from './postgres-pool';
export type { PostgresPoolOptions } from './postgres-pool';
export { PostgresNotifications } from './postgres-notifications';
