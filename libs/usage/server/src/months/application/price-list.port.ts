import type { UsageCard } from '@homeport/pricing/contracts';
import type { StatementReference } from '@homeport/usage/contracts';

export interface CurrentPrices {
  /** The statement in effect. */
  readonly statement: StatementReference;
  /** All usage cards, also those of earlier sign-ups. */
  readonly cards: readonly UsageCard[];
}

/** The published prices. */
export abstract class PriceList {
  /** @throws {CatalogUnavailable} when the prices cannot be read completely. */
  abstract current(): Promise<CurrentPrices>;
}
