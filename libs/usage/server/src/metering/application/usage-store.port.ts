import type { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageBatch } from '../domain/counted-use';
import type { RecordedUsage } from '../domain/recorded-usage';
import type { HourlyLevel, UsageEvent } from '../domain/usage-event';

/** The account whose usage is read. Its first month includes usage of the months before. */
export interface UsageAccount {
  readonly organization: string;
  readonly createdAt: Date;
  /** Usage in earlier hours is in the trial. */
  readonly trialEndsAt: Date;
}

export interface RecordedDay {
  /** Such as `2026-11-27`, in UTC. */
  readonly day: string;
  readonly recorded: bigint;
}

/**
 * Adds up reported events and counted uses by hour, stores levels by hour, and closes months. Usage of a closed month
 * counts in the first open month. Every method can reject with DatabaseUnavailable.
 */
export abstract class UsageStore {
  /** Stores all events or none. Repeated events are ignored, also within the call. @returns the number of new events. */
  abstract record(events: readonly UsageEvent[]): Promise<number>;

  /** Adds the uses of all batches or of none. A batch that was recorded before is ignored. */
  abstract recordBatches(batches: readonly UsageBatch[]): Promise<void>;

  /** Removes up to `limit` events that occurred before an instant; their sums stay. @returns the number of removed ones. */
  abstract removeEvents(before: Date, limit: number): Promise<number>;

  /** Forgets the batches of processes that delivered nothing since an instant; their sums stay. */
  abstract removeDeliveries(before: Date): Promise<void>;

  /** Stores levels. A level that is stored for the organization, item and hour stays. */
  abstract recordLevels(levels: readonly HourlyLevel[]): Promise<void>;

  /** The levels of an item in an hour, by organization. */
  abstract levelsIn(item: string, hour: Date): Promise<ReadonlyMap<string, bigint>>;

  /** The last hour for which the levels of an item are complete. */
  abstract lastMeasuredHour(item: string): Promise<Date | undefined>;

  /** Notes that the levels of an item are complete up to an hour. An earlier hour than the noted one has no effect. */
  abstract noteMeasuredHour(item: string, hour: Date): Promise<void>;

  /** The usage of a month, without items that were not used. */
  abstract usageOf(accounts: readonly UsageAccount[], period: BillingPeriod): Promise<readonly RecordedUsage[]>;

  /** The days on which usage of a month occurred, in order. */
  abstract daysOf(account: UsageAccount, period: BillingPeriod, item: string): Promise<readonly RecordedDay[]>;

  /** Closes a month and all earlier ones: their usage no longer changes. Waits for records in progress. */
  abstract close(period: BillingPeriod): Promise<void>;

  /** The first closed month, with which charging began. */
  abstract firstClosed(): Promise<BillingPeriod | undefined>;

  /** The last closed month. */
  abstract lastClosed(): Promise<BillingPeriod | undefined>;

  /** The month of the earliest use, for the first close. */
  abstract firstMonth(): Promise<BillingPeriod | undefined>;
}
