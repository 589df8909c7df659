/** How a cache was used since the start. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
}
