import type { DomainKind } from '@homeport/apps/contracts';
import { type DomainPrice, DomainPrices } from '@homeport/apps/server';
import type { AccountRepository } from '@homeport/organizations/server';
import { cardFor } from '@homeport/pricing/contracts';
import { type PriceBook, usageCards } from '@homeport/pricing/server';

/**
 * The prices of domains on the card that the organization is charged by. For an account that is older than all cards,
 * whose plan is charged elsewhere, those of the card in effect.
 */
export class AccountDomainPrices extends DomainPrices {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly prices: PriceBook,
  ) {
    super();
  }

  async priceOf(organization: string, kind: DomainKind): Promise<DomainPrice> {
    // The first call of an organization creates its account.
    const account = (await this.accounts.find(organization)) ?? (await this.accounts.add(organization));
    const { catalog, statement } = await this.prices.current();
    const { version, domains } = cardFor(account.createdAt, usageCards(catalog)) ?? statement.usage;
    return { usd: kind === 'hostname' ? domains.standardUsd : domains.premiumUsd, cardVersion: version };
  }
}
