import { describe, expect, it } from '@jest/globals';
import { SIZE_OF, SIZES } from './sizes.ts';

/** Bytes of memory for each connection that RDS allows: the default of `max_connections` divides by them. */
const BYTES_PER_CONNECTION = 9_531_392;
const MEMORY_GIB: Readonly<Record<string, number>> = { 't4g.small': 2, 'm7g.large': 8, 'r7g.xlarge': 32 };
/** RDS divides the memory that its own programs leave, keeps a few connections, and operators need some. */
const USABLE = 0.8;
/** Connections beside the pool, which listen for changes: two of the API, one of the edge and of the runtime. */
const LISTENING = { api: 2, edge: 1, runtime: 1 } as const;

describe.each(SIZES)('the size %s', (size) => {
  const { api, edge, pools, database } = SIZE_OF[size];

  it('has connections of PostgreSQL for all tasks while an update runs twice as many', () => {
    const perApi = pools.api + LISTENING.api;
    const perEdge = pools.edge + LISTENING.edge + pools.runtime + LISTENING.runtime;
    const needed = 2 * (api.most * perApi + edge.most * perEdge);
    const allowed = ((MEMORY_GIB[database.instanceType] ?? 0) * 1024 ** 3) / BYTES_PER_CONNECTION;
    expect(needed).toBeLessThanOrEqual(USABLE * allowed);
  });
});
