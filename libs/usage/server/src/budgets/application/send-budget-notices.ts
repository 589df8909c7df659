import type { Member } from '@homeport/identity/contracts';
import { DatabaseUnavailable } from '@homeport/kernel';
import { BillingPeriod, reachedPercentages, type UsageMonth } from '@homeport/usage/contracts';
import type { BudgetNoticeLedger, LeasedNotice, NewBudgetNotice } from './budget-notice-ledger.port';
import type { BudgetRepository, OrganizationBudget } from './budget-repository.port';
import type { NoticeSender } from './notice-sender.port';

const PAGE_SIZE = 500;
/** Longer than an attempt to send. */
const LEASE_SECONDS = 60;
const MINUTE = 60;
const MAX_DELAY_SECONDS = 6 * 60 * MINUTE;
/** With the delays between them, two days. */
const MAX_ATTEMPTS = 16;
/** How long the usage of the last minutes of a month can reach a percentage. */
const MONTH_END_MS = 24 * 3_600_000;
/** How long after the end of a month its notices are stored: the last attempt to send one is much earlier. */
const STORED_MS = 62 * 24 * 3_600_000;
/** A receiver that does not answer delays a run up to this number of times. */
const MAX_FAILURES = 5;

export interface BudgetNoticePorts {
  readonly budgets: BudgetRepository;
  readonly notices: BudgetNoticeLedger;
  readonly sender: NoticeSender;
  /** Reads a month as people see it. */
  readonly months: { execute(member: Pick<Member, 'organization'>, period: string): Promise<UsageMonth> };
  /** Runs this again after a number of seconds. */
  readonly retryAfter: (seconds: number) => Promise<void>;
}

/** Sends a notice for each percentage of a budget that a month has reached, until a day after its end. */
export class SendBudgetNotices {
  constructor(
    private readonly ports: BudgetNoticePorts,
    private readonly now: () => number = () => Date.now(),
  ) {}

  /**
   * May be repeated, also by several instances at once. A failure does not delay the other notices.
   * @throws {DatabaseUnavailable} at once.
   * @throws the first other failure, after all other work is done.
   */
  async execute(): Promise<void> {
    const failures = [...(await this.#addReached()), ...(await this.#sendDue())];
    await this.ports.notices.removeBefore(this.#monthBefore(STORED_MS).name);
    if (failures.length > 0) throw failures[0];
  }

  async #addReached(): Promise<readonly unknown[]> {
    const { budgets, notices } = this.ports;
    const failures: unknown[] = [];
    const periods = this.#periods();
    let after: string | undefined;
    for (;;) {
      const page = await budgets.page(after, PAGE_SIZE);
      if (page.length === 0) return failures;
      for (const budget of page) {
        try {
          for (const period of periods.filter(({ end }) => budget.changedAt < end)) {
            await notices.add(await this.#reached(budget, period.name));
          }
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error;
          failures.push(error);
        }
      }
      after = page.at(-1)?.organization;
    }
  }

  /** The current month, and in the day after its end the one before. */
  #periods(): readonly BillingPeriod[] {
    const [recent, current] = [this.#monthBefore(MONTH_END_MS), this.#monthBefore(0)];
    return recent.name === current.name ? [current] : [recent, current];
  }

  /** @returns the month at a time before now. */
  #monthBefore(milliseconds: number): BillingPeriod {
    return BillingPeriod.containing(new Date(this.now() - milliseconds));
  }

  async #reached(
    { organization, monthlyUsd, notifyAt }: OrganizationBudget,
    period: string,
  ): Promise<NewBudgetNotice[]> {
    const { total_usd } = await this.ports.months.execute({ organization }, period);
    const reached = reachedPercentages({ monthly_usd: monthlyUsd, notify_at: notifyAt }, total_usd);
    return reached.map((percent) => ({
      ...{ organization, period, percent },
      budgetUsd: monthlyUsd,
      totalUsd: total_usd,
    }));
  }

  async #sendDue(): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    while (failures.length < MAX_FAILURES) {
      const leased = await this.ports.notices.lease(LEASE_SECONDS);
      if (!leased) break;
      try {
        await this.ports.sender.send(leased.notice);
        await this.ports.notices.markSent(leased.notice.id);
      } catch (error) {
        failures.push(error);
        await this.#postpone(leased);
      }
    }
    return failures;
  }

  async #postpone({ notice, attempt }: LeasedNotice): Promise<void> {
    const seconds = attempt < MAX_ATTEMPTS ? delayAfter(attempt) : undefined;
    await this.ports.notices.postpone(notice.id, seconds);
    if (seconds !== undefined) await this.ports.retryAfter(seconds);
  }
}

/** Doubles from a minute to six hours. @returns seconds. */
function delayAfter(attempt: number): number {
  return Math.min(MINUTE * 2 ** (attempt - 1), MAX_DELAY_SECONDS);
}
