import type { DomainKind } from '@homeport/apps/contracts';

/** The price of a domain for an organization. */
export interface DomainPrice {
  /** USD a month. */
  readonly usd: number;
  /** The version of the card that states it. */
  readonly cardVersion: string;
}

/** What domains cost. */
export abstract class DomainPrices {
  /** @throws {CatalogUnavailable} when no complete prices are known. @throws {DatabaseUnavailable} */
  abstract priceOf(organization: string, kind: DomainKind): Promise<DomainPrice>;
}
