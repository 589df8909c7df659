import { centsToUsd, rateSplit } from '@homeport/pricing/contracts';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageSpool } from '../../metering/application/usage-spool.port';
import { hasTrialUsage, type RecordedUsage } from '../../metering/domain/recorded-usage';
import type { RecordedCharge } from '../../months/application/charge-book.port';
import { type ClosingPorts, isDue } from '../../months/application/close-months';
import type { BilledAccount } from '../../months/domain/billed-account';
import { monthUsage } from '../../months/domain/month-usage';
import { chargeDifferences } from '../domain/charge-differences';
import { fault, type Finding, note } from '../domain/finding';
import { lateNotes } from '../domain/late-notes';
import { MonthSums } from '../domain/month-sums';
import type { UsageAudit } from './usage-audit.port';

/** Accounts whose usage is read at once: up to 744 hours of each item. */
const PAGE_SIZE = 50;

export interface ReconciliationPorts extends ClosingPorts {
  readonly audit: UsageAudit;
  readonly spool: UsageSpool;
}

/** Checks that charges are accepted events × prices, for each account and month. Changes nothing. */
export class ReconcileCharges {
  constructor(private readonly ports: ReconciliationPorts) {}

  /**
   * @param only the month to check. Default: all due months since the first charged one.
   * @throws {DatabaseUnavailable} @throws {CatalogUnavailable}
   */
  async *execute(only?: BillingPeriod): AsyncGenerator<Finding> {
    const now = await this.ports.closings.now();
    for (const period of only ? [only] : await this.#dueMonths(now)) {
      if (await this.ports.closings.isFinished(period)) yield* this.#checkMonth(period);
      else if (isDue(period, now)) yield fault(period.name, 'The month is due, and not charged completely.');
      else yield note(period.name, 'The month is not due: it is charged 24 hours after its end (UTC).');
    }
    const waiting = (await this.ports.spool.names()).length;
    if (waiting > 0)
      yield note('spool', `${waiting} batches of usage wait for PostgreSQL. Check again in ten seconds.`);
  }

  async #dueMonths(now: Date): Promise<BillingPeriod[]> {
    const months: BillingPeriod[] = [];
    const { store } = this.ports;
    let month = (await store.firstClosed()) ?? (await store.firstMonth());
    for (; month && isDue(month, now); month = month.next()) months.push(month);
    return months;
  }

  async *#checkMonth(period: BillingPeriod): AsyncGenerator<Finding> {
    const leftOver = new Set<string>();
    for await (const organizations of this.#organizationPages()) {
      for (const organization of await this.ports.audit.withUsage(period, organizations)) leftOver.add(organization);
      yield* await this.#checkSums(period, organizations);
    }
    const sums = new MonthSums();
    let after: string | undefined;
    for await (const accounts of this.#accountPages(period.end)) {
      const through = accounts.at(-1)?.organization;
      yield* this.#checkAccounts(accounts, { period, after, through, sums });
      for (const { organization } of accounts) leftOver.delete(organization);
      after = through;
    }
    yield* this.#checkAccounts([], { period, after, through: undefined, sums });
    yield* this.#explainUsageWithoutAccount(period, leftOver);
    yield note(period.name, sums.describe());
  }

  /** Checks accounts that follow each other, and the charges of the same range: a month can have many. */
  async *#checkAccounts(accounts: readonly BilledAccount[], range: CheckedRange): AsyncGenerator<Finding> {
    const { period, sums } = range;
    const organizations = new Set(accounts.map(({ organization }) => organization));
    const charges = new Map<string, RecordedCharge>();
    for await (const charge of this.#chargesIn(range)) {
      sums.addCharge(charge.month);
      if (organizations.has(charge.organization)) charges.set(charge.organization, charge);
      else yield fault(subjectOf(charge.organization, period), 'It is charged and has no account for that month.');
    }
    const usage = await this.ports.store.usageOf(accounts, period);
    const recorded = Map.groupBy(usage, ({ organization }) => organization);
    for (const account of accounts) {
      const facts = { period, sums, recorded: recorded.get(account.organization) ?? [] };
      yield* await this.#checkAccount(account, { ...facts, charge: charges.get(account.organization) });
    }
  }

  async *#organizationPages(): AsyncGenerator<readonly string[]> {
    let after: string | undefined;
    for (;;) {
      const page = await this.ports.audit.organizations(after, PAGE_SIZE);
      if (page.length === 0) return;
      yield page;
      after = page.at(-1);
    }
  }

  async #checkSums(period: BillingPeriod, organizations: readonly string[]): Promise<Finding[]> {
    const mismatches = await this.ports.audit.mismatches(period, organizations);
    return mismatches.map(({ organization, item, eventSum, hourlySum }) =>
      fault(
        subjectOf(organization, period),
        `The events of ${item} add up to ${eventSum}, and the hourly sums to ${hourlySum}.`,
      ),
    );
  }

  async *#chargesIn({ period, through, ...range }: CheckedRange): AsyncGenerator<RecordedCharge> {
    let { after } = range;
    for (;;) {
      const page = await this.ports.charges.page({ period: period.name, after, through, limit: PAGE_SIZE });
      yield* page;
      if (page.length < PAGE_SIZE) return;
      after = page.at(-1)?.organization;
    }
  }

  /** @param organizations with usage in the month, and without an account that was created before its end. */
  async *#explainUsageWithoutAccount(
    period: BillingPeriod,
    organizations: ReadonlySet<string>,
  ): AsyncGenerator<Finding> {
    const unknown = new Set(organizations);
    if (unknown.size > 0) {
      for await (const page of this.#accountPages(await this.ports.closings.now())) {
        for (const { organization } of page.filter((account) => unknown.delete(account.organization))) {
          yield note(
            subjectOf(organization, period),
            'Its usage counts in the first month of its account, which came later.',
          );
        }
      }
    }
    for (const organization of unknown) {
      yield fault(subjectOf(organization, period), 'It has usage and no account, so the usage is not charged.');
    }
  }

  async *#accountPages(createdBefore: Date): AsyncGenerator<readonly BilledAccount[]> {
    let after: string | undefined;
    for (;;) {
      const page = await this.ports.accounts.page({ after, createdBefore, limit: PAGE_SIZE });
      if (page.length === 0) return;
      yield page;
      after = page.at(-1)?.organization;
    }
  }

  async #checkAccount(account: BilledAccount, facts: AccountFacts): Promise<Finding[]> {
    const { period, recorded, charge, sums } = facts;
    const { card, organization } = account;
    const subject = subjectOf(organization, period);
    if (!card) {
      if (charge) return [fault(subject, 'It is charged and has a legacy plan.')];
      return recorded.length === 0 ? [] : [note(subject, 'It has a legacy plan, which Homeport does not charge.')];
    }
    const covered = await this.ports.coverage.before(period, hasTrialUsage(recorded) ? [account] : []);
    const coveredCents = covered.get(organization) ?? 0n;
    const rating = rateSplit(monthUsage(recorded, card, period).usage, card, { coveredCents });
    sums.addRating(rating.totalCents);
    if (!charge)
      return [fault(subject, `It is not charged. Usage × prices gives ${centsToUsd(rating.totalCents)} USD.`)];
    return [
      ...chargeDifferences(charge.month, rating, card.version).map((text) => fault(subject, text)),
      ...lateNotes(recorded, card, period).map((text) => note(subject, text)),
    ];
  }
}

/** Organizations that follow each other in the order of the database. */
interface CheckedRange {
  readonly period: BillingPeriod;
  /** The organization before the range; undefined for the start. */
  readonly after: string | undefined;
  /** The last organization of the range; undefined for the end. */
  readonly through: string | undefined;
  readonly sums: MonthSums;
}

interface AccountFacts {
  readonly period: BillingPeriod;
  readonly recorded: readonly RecordedUsage[];
  readonly charge: RecordedCharge | undefined;
  readonly sums: MonthSums;
}

function subjectOf(organization: string, { name }: BillingPeriod): string {
  return `${organization} ${name}`;
}
