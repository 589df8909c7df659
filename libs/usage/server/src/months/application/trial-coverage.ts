import { parseDecimal, rateSplit } from '@homeport/pricing/contracts';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageStore } from '../../metering/application/usage-store.port';
import type { BilledAccount } from '../domain/billed-account';
import { monthUsage } from '../domain/month-usage';
import type { ChargeBook } from './charge-book.port';

const CENT_PLACES = 2;

/** The amounts that a trial covered by charged month, in USD. */
type CoveredMonths = ReadonlyMap<string, string>;

/** Adds up what the trials of accounts have covered. */
export class TrialCoverage {
  constructor(
    private readonly store: UsageStore,
    private readonly charges: ChargeBook,
  ) {}

  /** @returns the cents that each trial covered in the months before a period, charged or not, by organization. */
  async before(period: BillingPeriod, accounts: readonly BilledAccount[]): Promise<ReadonlyMap<string, bigint>> {
    const earlier = accounts.filter(({ createdAt }) => BillingPeriod.containing(createdAt).name < period.name);
    const charged = await this.#chargedMonths(earlier);
    const covered = new Map(accounts.map(({ organization }) => [organization, 0n]));
    for (const account of earlier) {
      const months = charged.get(account.organization) ?? new Map<string, string>();
      covered.set(account.organization, await this.#coveredBefore(period, account, months));
    }
    return covered;
  }

  async #chargedMonths(accounts: readonly BilledAccount[]): Promise<ReadonlyMap<string, CoveredMonths>> {
    if (accounts.length === 0) return new Map();
    const amounts = await this.charges.trialAmounts(accounts.map(({ organization }) => organization));
    const byOrganization = Map.groupBy(amounts, ({ organization }) => organization);
    return new Map(
      [...byOrganization].map(([organization, months]) => [
        organization,
        new Map(months.map(({ period, trialCoveredUsd }) => [period, trialCoveredUsd])),
      ]),
    );
  }

  async #coveredBefore(period: BillingPeriod, account: BilledAccount, charged: CoveredMonths): Promise<bigint> {
    const { card } = account;
    if (!card) return 0n;
    let coveredCents = 0n;
    for (let month = BillingPeriod.containing(account.createdAt); month.name < period.name; month = month.next()) {
      const usd = charged.get(month.name);
      if (usd === undefined) {
        const recorded = await this.store.usageOf([account], month);
        coveredCents += rateSplit(monthUsage(recorded, card, month).usage, card, { coveredCents }).trialCoveredCents;
      } else {
        coveredCents += parseDecimal(usd, CENT_PLACES);
      }
    }
    return coveredCents;
  }
}
