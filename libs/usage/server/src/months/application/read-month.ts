import {
  centsToUsd,
  formatDecimal,
  PRICE_PLACES,
  QUANTITY_PLACES,
  type RatedLine,
  rateSplit,
} from '@homeport/pricing/contracts';
import type { Member } from '@homeport/identity/contracts';
import {
  type AccountTrial,
  BillingPeriod,
  type DailyUsage,
  type UsageLine,
  type UsageMonth,
} from '@homeport/usage/contracts';
import type { UsageStore } from '../../metering/application/usage-store.port';
import { hasTrialUsage, type RecordedUsage } from '../../metering/domain/recorded-usage';
import { billedQuantity, meterOf, METERS } from '../../metering/domain/meter';
import type { BilledAccount } from '../domain/billed-account';
import { billedQuantities, lateQuantities, monthUsage, type MonthUsage, splitUsage } from '../domain/month-usage';
import { ItemUnknown, PeriodInvalid } from '../domain/months.errors';
import { projected } from '../domain/projection';
import type { Accounts } from './accounts';
import type { TrialCoverage } from './trial-coverage';

interface ReadMonthOptions {
  /** Default: true. */
  readonly isMetering?: boolean;
  /** Default: the clock of this process. */
  readonly now?: () => Date;
}

/** Reads the usage of an organization with its cost. */
export class ReadMonth {
  readonly #isMetering: boolean;
  readonly #now: () => Date;

  constructor(
    private readonly store: UsageStore,
    private readonly accounts: Accounts,
    private readonly coverage: TrialCoverage,
    { isMetering = true, now = () => new Date() }: ReadMonthOptions = {},
  ) {
    this.#isMetering = isMetering;
    this.#now = now;
  }

  /**
   * @param name such as `2026-11`. Default: the current month.
   * @throws {PeriodInvalid} @throws {DatabaseUnavailable} @throws {CatalogUnavailable}
   */
  async execute({ organization }: Pick<Member, 'organization'>, name?: string): Promise<UsageMonth> {
    const now = this.#now();
    const period = periodOf(name, now);
    const account = await this.accounts.getOrCreate(organization);
    const recorded = await this.store.usageOf([account], period);
    const needsCoverage = isInTrial(account, period) || hasTrialUsage(recorded);
    const covered = await this.coverage.before(period, needsCoverage ? [account] : []);
    const coveredCents = covered.get(organization) ?? 0n;
    return {
      period: period.name,
      as_of: now.toISOString(),
      metering: this.#isMetering ? 'on' : 'off',
      statement: account.statement,
      ...billOf(account, { recorded, coveredCents, period, now }),
    };
  }

  /**
   * The quantities of an item by day.
   * @throws {PeriodInvalid} @throws {ItemUnknown} @throws {DatabaseUnavailable} @throws {CatalogUnavailable}
   */
  async daily({ organization }: Member, name: string | undefined, item: string): Promise<DailyUsage> {
    const period = periodOf(name, this.#now());
    const account = await this.accounts.getOrCreate(organization);
    const { itemIds } = account;
    if (!itemIds.includes(item)) throw new ItemUnknown(itemIds);
    const days = await this.store.daysOf(account, period, item);
    return {
      items: days.map(({ day, recorded }) => ({
        day,
        quantity: formatDecimal(billedQuantity(recorded, meterOf(item), period), QUANTITY_PLACES),
      })),
    };
  }
}

function periodOf(name: string | undefined, now: Date): BillingPeriod {
  const current = BillingPeriod.containing(now);
  if (name === undefined) return current;
  const period = BillingPeriod.parse(name);
  if (!period) throw new PeriodInvalid('must be a month, such as 2026-11');
  if (period.name > current.name) throw new PeriodInvalid('is in the future');
  return period;
}

interface MonthFacts {
  readonly recorded: readonly RecordedUsage[];
  readonly coveredCents: bigint;
  readonly period: BillingPeriod;
  readonly now: Date;
}

function isInTrial({ createdAt, trialEndsAt }: BilledAccount, period: BillingPeriod): boolean {
  return createdAt < period.end && period.start < trialEndsAt;
}

type Bill = Omit<UsageMonth, 'period' | 'as_of' | 'metering' | 'statement'>;

function billOf(account: BilledAccount, { recorded, coveredCents, period, now }: MonthFacts): Bill {
  const { card, createdAt, trialEndsAt, legacyPlans } = account;
  if (!card) return legacyBill(account);
  const month = monthUsage(recorded, card, period);
  const rating = rateSplit(month.usage, card, { coveredCents });
  const quantities = { total: billedQuantities(recorded, period), late: lateQuantities(recorded, period) };
  const future = splitUsage(projected(quantities, account, { period, now }), card);
  const hasTrial = isInTrial(account, period);
  const trial: AccountTrial = {
    ends_at: trialEndsAt.toISOString(),
    cap_usd: String(card.trial.capUsd),
    covered_usd: centsToUsd(coveredCents + rating.trialCoveredCents),
  };
  return {
    account: {
      ...{ created_at: createdAt.toISOString(), card: card.version, legacy_plans: legacyPlans },
      monthly_included_usd: String(card.includedUsd),
      trial: hasTrial ? trial : null,
    },
    lines: withUnused(rating.lines, account, hasTrial && now < trialEndsAt).map((line) => toUsageLine(line, month)),
    included_usd: centsToUsd(rating.includedCents),
    trial_covered_usd: centsToUsd(rating.trialCoveredCents),
    total_usd: centsToUsd(rating.totalCents),
    projected_total_usd: centsToUsd(rateSplit(future, card, { coveredCents }).totalCents),
  };
}

/** An account with a legacy plan: its plan is charged outside of Homeport. */
function legacyBill({ createdAt, legacyPlans }: BilledAccount): Bill {
  return {
    account: {
      ...{ created_at: createdAt.toISOString(), card: null, legacy_plans: legacyPlans },
      ...{ monthly_included_usd: null, trial: null },
    },
    lines: [],
    included_usd: '0',
    trial_covered_usd: '0',
    total_usd: '0',
    projected_total_usd: '0',
  };
}

/** Adds the measured items that were not used, so that people see what is measured. */
function withUnused(lines: readonly RatedLine[], { card }: BilledAccount, isInTrial: boolean): readonly RatedLine[] {
  const zeros = splitUsage(
    METERS.map(({ item }) => ({ item, inTrial: isInTrial ? 1n : 0n, afterTrial: isInTrial ? 0n : 1n })),
    card as NonNullable<typeof card>,
  );
  const unused = rateSplit(zeros, card as NonNullable<typeof card>, { coveredCents: 0n })
    .lines.filter(({ item }) => !lines.some((line) => line.item === item))
    .map((line) => ({ ...line, quantity: 0n, cents: 0n }));
  return [...lines, ...unused];
}

function toUsageLine({ item, quantity, cents, isWaived, isInTrial }: RatedLine, { late }: MonthUsage): UsageLine {
  return {
    item: item.id,
    label: item.label,
    unit: item.unit,
    quantity: formatDecimal(quantity, QUANTITY_PLACES),
    unit_usd: formatDecimal(item.unitNanoUsd, PRICE_PLACES),
    amount_usd: centsToUsd(cents),
    waived: isWaived,
    in_trial: isInTrial,
    late_quantity: String((isInTrial ? late.inTrial : late.afterTrial)[item.group]?.[item.id] ?? '0'),
  };
}
