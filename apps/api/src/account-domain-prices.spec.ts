import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryAccountRepository } from '@homeport/organizations/server';
import { InMemoryPriceRevisions, PriceBook, PricePublisher } from '@homeport/pricing/server';
import { firstRevision, withCard } from '@homeport/pricing/server/testing';
import { AccountDomainPrices } from './account-domain-prices';

const ANNOUNCED = new Date('2026-11-28T00:00:00Z');
const IN_EFFECT = new Date('2027-02-01T00:00:00Z');
/** The second card doubles the prices of domains. */
const SECOND = withCard('2027-01-01T00:00:00Z', { domains: { standardUsd: '20', premiumUsd: '100' } });

describe('AccountDomainPrices', () => {
  let now: Date;
  let accounts: InMemoryAccountRepository;
  let prices: AccountDomainPrices;

  beforeEach(async () => {
    const revisions = new InMemoryPriceRevisions([firstRevision()], () => now);
    now = ANNOUNCED;
    await new PricePublisher(revisions).publish(SECOND, {
      publisher: 'ada',
      isDryRun: false,
      areLargeChangesAllowed: true,
    });
    accounts = new InMemoryAccountRepository(() => now);
    prices = new AccountDomainPrices(accounts, new PriceBook(revisions, () => now.getTime()));
  });

  it('states the prices of the card of the account, also after a later card is in effect', async () => {
    await prices.priceOf('northwind', 'hostname');
    now = IN_EFFECT;
    expect(await prices.priceOf('northwind', 'hostname')).toEqual({ usd: 10, cardVersion: '2026-10-01' });
    expect(await prices.priceOf('northwind', 'base')).toEqual({ usd: 50, cardVersion: '2026-10-01' });
  });

  it('states the prices of the card in effect at the first call of an organization', async () => {
    now = IN_EFFECT;
    expect(await prices.priceOf('globex', 'hostname')).toEqual({ usd: 20, cardVersion: '2027-01-01' });
    expect(await prices.priceOf('globex', 'base')).toEqual({ usd: 100, cardVersion: '2027-01-01' });
  });

  it('states the prices of the card in effect for an account that is older than all cards', async () => {
    now = new Date('2026-01-01T00:00:00Z');
    await accounts.add('initech');
    now = IN_EFFECT;
    expect(await prices.priceOf('initech', 'hostname')).toEqual({ usd: 20, cardVersion: '2027-01-01' });
  });
});
