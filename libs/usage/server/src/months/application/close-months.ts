import { DatabaseUnavailable } from '@homeport/kernel';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageStore } from '../../metering/application/usage-store.port';
import { hasTrialUsage, type RecordedUsage } from '../../metering/domain/recorded-usage';
import type { BilledAccount } from '../domain/billed-account';
import { monthUsage } from '../domain/month-usage';
import { AccountNotCharged, AccountsNotCharged } from '../domain/months.errors';
import type { Accounts } from './accounts';
import type { ChargeBook, MonthToCharge } from './charge-book.port';
import type { MonthClosings, UnchargedMonth } from './month-closings.port';
import type { TrialCoverage } from './trial-coverage';

/** How long products can report usage of a month before it is charged. */
const GRACE_MS = 24 * 3_600_000;
/** Accounts whose usage is read at once: up to 744 hours of each item. */
const BATCH_SIZE = 50;

export interface ClosingPorts {
  readonly store: UsageStore;
  readonly closings: MonthClosings;
  readonly accounts: Accounts;
  readonly charges: ChargeBook;
  readonly coverage: TrialCoverage;
}

/** Closes months 24 hours after their end and charges every account for them. */
export class CloseMonths {
  constructor(private readonly ports: ClosingPorts) {}

  /**
   * May be repeated, also by several instances at once, and continues where an earlier run ended. An account that cannot
   * be charged does not delay the others.
   * @throws {AccountsNotCharged} after all others are charged. The next run tries again. @throws {DatabaseUnavailable}
   */
  async execute(): Promise<void> {
    const { store, closings } = this.ports;
    const now = await closings.now();
    for (let month = await this.#nextMonth(); month && isDue(month, now); month = month.next()) {
      await store.close(month);
    }
    const failures: AccountNotCharged[] = [];
    for (const month of await closings.uncharged()) failures.push(...(await this.#chargeAll(month)));
    if (failures.length > 0) throw new AccountsNotCharged(failures);
  }

  async #nextMonth(): Promise<BillingPeriod | undefined> {
    const last = await this.ports.store.lastClosed();
    return last ? last.next() : this.ports.store.firstMonth();
  }

  /** @returns the errors of the accounts that were not charged; the month then stays uncharged from there. */
  async #chargeAll({ period, chargedThrough }: UnchargedMonth): Promise<readonly AccountNotCharged[]> {
    const { accounts, store, closings } = this.ports;
    const failures: AccountNotCharged[] = [];
    let after = chargedThrough;
    for (;;) {
      const page = await accounts.page({ after, createdBefore: period.end, limit: BATCH_SIZE });
      const last = page.at(-1);
      if (!last) break;
      // Legacy plans are charged outside of Homeport.
      const paying = page.filter(({ card }) => card !== undefined);
      failures.push(...(await this.#charge(paying, period, await store.usageOf(paying, period))));
      if (failures.length === 0) await closings.advance(period, last.organization);
      after = last.organization;
    }
    if (failures.length === 0) await closings.finish(period);
    return failures;
  }

  /** Charges accounts together, or one by one after an error. @returns the errors of those that were not charged. */
  async #charge(
    accounts: readonly BilledAccount[],
    period: BillingPeriod,
    recorded: readonly RecordedUsage[],
  ): Promise<readonly AccountNotCharged[]> {
    try {
      await this.ports.charges.charge(await this.#monthsOf(accounts, period, recorded));
      return [];
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const [first, second] = accounts;
      if (first && !second) return [new AccountNotCharged(first.organization, period.name, { cause: error })];
      const failures: AccountNotCharged[] = [];
      for (const account of accounts) failures.push(...(await this.#charge([account], period, recorded)));
      return failures;
    }
  }

  async #monthsOf(
    accounts: readonly BilledAccount[],
    period: BillingPeriod,
    recorded: readonly RecordedUsage[],
  ): Promise<readonly MonthToCharge[]> {
    const usage = Map.groupBy(recorded, ({ organization }) => organization);
    const usageOf = ({ organization }: BilledAccount) => usage.get(organization) ?? [];
    const inTrial = accounts.filter((account) => hasTrialUsage(usageOf(account)));
    const covered = await this.ports.coverage.before(period, inTrial);
    return accounts.map((account) => ({
      account,
      period: period.name,
      ...monthUsage(usageOf(account), account.card as NonNullable<typeof account.card>, period),
      coveredCents: covered.get(account.organization) ?? 0n,
    }));
  }
}

/** Whether a month is to be charged. */
export function isDue({ end }: BillingPeriod, now: Date): boolean {
  return end.getTime() + GRACE_MS <= now.getTime();
}
