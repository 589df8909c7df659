import type { BillingPeriod } from '@homeport/usage/contracts';

/** An item whose events do not add up to the hourly sums that are charged. */
export interface SumMismatch {
  readonly organization: string;
  readonly item: string;
  /** Decimal strings in recorded units. */
  readonly eventSum: string;
  readonly hourlySum: string;
}

/** Reads stored usage to check it. Every method can reject with DatabaseUnavailable. */
export abstract class UsageAudit {
  /** The organizations with stored usage of any month, sorted. @param after undefined for the first page. */
  abstract organizations(after: string | undefined, limit: number): Promise<readonly string[]>;

  /**
   * Compares the reported events of a month with its hourly sums, for the last 62 days: older events are removed. What
   * Homeport measures has no events.
   */
  abstract mismatches(period: BillingPeriod, organizations: readonly string[]): Promise<readonly SumMismatch[]>;

  /** @returns those of the organizations that have usage in a month. */
  abstract withUsage(period: BillingPeriod, organizations: readonly string[]): Promise<readonly string[]>;
}
