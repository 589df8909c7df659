import { parseDecimal, rateSplit } from '@homeport/pricing/contracts';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageStore } from '../../metering/application/usage-store.port';
import type { BilledAccount } from '../domain/billed-account';
import { monthUsage } from '../domain/month-usage';
import type { ChargeBook } from './charge-book.port';

const CENT_PLACES = 2;

/** Adds up what the trial of an account has covered. */
export class TrialCoverage {
  constructor(
    private readonly store: UsageStore,
    private readonly charges: ChargeBook,
  ) {}

  /** @returns the cents that the trial covered in the months before a period, charged or not. */
  async before(period: BillingPeriod, account: BilledAccount): Promise<bigint> {
    const { card, organization, trialEndsAt } = account;
    if (!card) return 0n;
    const charged = new Map(
      (await this.charges.list(organization)).map((month) => [month.period, month.trial_covered_usd]),
    );
    let coveredCents = 0n;
    for (
      let month = BillingPeriod.containing(account.createdAt);
      month.name < period.name && (month.start < trialEndsAt || charged.has(month.name));
      month = month.next()
    ) {
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
