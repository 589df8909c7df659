export { createDatabase, migrate } from './create-database';
export { Database } from './database';
export type { DatabaseOptions } from './database';
export { queriesIn } from './queries';
export type { Queries } from './queries';
