import type { UsageCard } from '@homeport/pricing/contracts';
import type { StatementReference } from '@homeport/usage/contracts';

/** The prices that accounts from before the first usage card keep. Instants are RFC 3339. */
export interface LegacyPrices {
  readonly plans: readonly { readonly label: string; readonly newSignupsUntil: string }[];
  readonly rule: { readonly createdBefore: string; readonly statement: string };
}

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
