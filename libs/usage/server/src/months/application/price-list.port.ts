import type { UsageCard } from '@homeport/pricing/contracts';
import type { StatementReference } from '@homeport/usage/contracts';
import type { LegacyPrices } from '../domain/legacy-plans';

export interface CurrentPrices {
  /** The statement in effect. */
  readonly statement: StatementReference;
  /** All usage cards, also those of earlier sign-ups. */
  readonly cards: readonly UsageCard[];
  readonly legacy: LegacyPrices;
}

/** The published prices. */
export abstract class PriceList {
  /** @throws {CatalogUnavailable} when the prices cannot be read completely. */
  abstract current(): Promise<CurrentPrices>;
}
