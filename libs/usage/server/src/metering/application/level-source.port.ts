import type { MeteredItem } from '../domain/meter';

/** Measures the current level of an item, such as the stored bytes of each organization. */
export abstract class LevelSource {
  abstract readonly item: MeteredItem;

  /** @returns levels in whole recorded units by organization; organizations without one are absent. */
  abstract levels(): Promise<ReadonlyMap<string, bigint>>;
}
