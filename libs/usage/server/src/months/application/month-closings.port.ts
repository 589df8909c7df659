import type { BillingPeriod } from '@homeport/usage/contracts';

/** A closed month whose accounts are not all charged. */
export interface UnchargedMonth {
  readonly period: BillingPeriod;
  /** The last organization that was charged; undefined before the first one. */
  readonly chargedThrough: string | undefined;
}

/** The progress of charging closed months. Every method can reject with DatabaseUnavailable. */
export abstract class MonthClosings {
  /** The time of the database, by which months end: the clock of an instance can be wrong. */
  abstract now(): Promise<Date>;

  /** Oldest first. */
  abstract uncharged(): Promise<readonly UnchargedMonth[]>;

  /** Notes that all organizations up to this one are charged. Never moves backwards. */
  abstract advance(period: BillingPeriod, organization: string): Promise<void>;

  /** Whether all accounts are charged for a month. */
  abstract isFinished(period: BillingPeriod): Promise<boolean>;

  /** Notes that all accounts are charged. */
  abstract finish(period: BillingPeriod): Promise<void>;
}
