import type { DomainKind } from '@homeport/apps/contracts';
import { type DomainPrice, DomainPrices } from '@homeport/apps/server';
import type { PriceBook } from '@homeport/pricing/server';

/** The prices of domains, from the statement in effect. */
export class StatedDomainPrices extends DomainPrices {
  constructor(private readonly prices: PriceBook) {
    super();
  }

  async priceOf(_organization: string, kind: DomainKind): Promise<DomainPrice> {
    const { version, domains } = (await this.prices.current()).statement.usage;
    return { usd: kind === 'hostname' ? domains.standardUsd : domains.premiumUsd, cardVersion: version };
  }
}
