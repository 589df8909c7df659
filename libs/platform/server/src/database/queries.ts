import type { EntityManager } from 'typeorm';
import type { Database } from './database';

/** How a repository runs its queries: each on its own on the database, or all in the transaction of a unit of work. */
export type Queries = Pick<Database, 'run' | 'transaction'>;

/** Runs all queries in the transaction of the manager. */
export function queriesIn(manager: EntityManager): Queries {
  return {
    run: (work) => work(manager),
    transaction: (work) => work(manager),
  };
}
