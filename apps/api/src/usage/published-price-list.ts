import { type PriceBook, usageCards } from '@homeport/pricing/server';
import { type CurrentPrices, PriceList } from '@homeport/usage/server';

/** The prices of the published statement that is in effect. */
export class PublishedPriceList extends PriceList {
  constructor(private readonly prices: PriceBook) {
    super();
  }

  async current(): Promise<CurrentPrices> {
    const { version, sha256, catalog } = await this.prices.current();
    const { plans, grandfatherRule } = catalog.legacy;
    return {
      statement: { version, sha256: sha256.toString('hex') },
      cards: usageCards(catalog),
      legacy: {
        plans,
        rule: { createdBefore: grandfatherRule.appliesTo.createdBefore, statement: grandfatherRule.statement },
      },
    };
  }
}
