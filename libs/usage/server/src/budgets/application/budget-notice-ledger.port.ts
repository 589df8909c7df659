/** That the usage of a month has reached a percentage of the budget. */
export interface NewBudgetNotice {
  readonly organization: string;
  /** Such as `2026-11`. */
  readonly period: string;
  readonly percent: number;
  /** Decimal strings. */
  readonly budgetUsd: string;
  /** The total of the month when the notice was added. */
  readonly totalUsd: string;
}

export interface BudgetNotice extends NewBudgetNotice {
  /** A UUID that every attempt to send the notice has in common. */
  readonly id: string;
  readonly reachedAt: Date;
}

/** A notice that one instance may send until the lease ends. */
export interface LeasedNotice {
  readonly notice: BudgetNotice;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/** Stores notices until they are sent. Every method can reject with DatabaseUnavailable. */
export abstract class BudgetNoticeLedger {
  /** Adds notices. Has no effect for an organization, month, budget and percentage that has a notice. */
  abstract add(notices: readonly NewBudgetNotice[]): Promise<void>;

  /** Leases the notice that has been due for the longest time. @returns undefined when no notice is due. */
  abstract lease(seconds: number): Promise<LeasedNotice | undefined>;

  abstract markSent(id: string): Promise<void>;

  /** @param seconds until the notice is due again; undefined to give it up. */
  abstract postpone(id: string, seconds: number | undefined): Promise<void>;

  /** Removes the notices of the months before a month, sent or not. @param period such as `2026-11`. */
  abstract removeBefore(period: string): Promise<void>;
}
