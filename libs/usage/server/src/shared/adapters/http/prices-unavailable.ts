import { DomainError } from '@homeport/kernel';

/** Documents `CatalogUnavailable` of the pricing domain, with which the price list of this domain rejects. */
export class PricesUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'pricing.catalog-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor() {
    super('Pricing is temporarily unavailable. Try again in a few seconds.');
  }
}
