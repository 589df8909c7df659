import type { ChargedMonth } from '@homeport/usage/contracts';
import type { MonthUsage } from '../domain/month-usage';
import type { BilledAccount } from '../domain/billed-account';

export interface MonthToCharge extends MonthUsage {
  readonly account: Pick<BilledAccount, 'organization' | 'createdAt'>;
  /** Such as `2026-11`. */
  readonly period: string;
  /** The cents that the trial covered in earlier months. */
  readonly coveredCents: bigint;
}

/** The charge of an organization. */
export interface RecordedCharge {
  /** A UUID. */
  readonly id: string;
  readonly organization: string;
  readonly month: ChargedMonth;
}

/** What the trial of an organization covered in a charged month. */
export interface TrialAmount {
  readonly organization: string;
  readonly period: string;
  readonly trialCoveredUsd: string;
}

export interface ChargePage {
  /** Such as `2026-11`. */
  readonly period: string;
  /** The organization after which the page starts; undefined for the first page. */
  readonly after: string | undefined;
  /** The last organization that the page may have. Default: no limit. */
  readonly through?: string | undefined;
  readonly limit: number;
}

/** The charges of organizations. Every method can reject with DatabaseUnavailable and CatalogUnavailable. */
export abstract class ChargeBook {
  /** Charges months of accounts, all or none. A repeated call has no effect: a month is charged once. */
  abstract charge(months: readonly MonthToCharge[]): Promise<void>;

  /** What the trials of organizations covered, for each charged month. */
  abstract trialAmounts(organizations: readonly string[]): Promise<readonly TrialAmount[]>;

  /** Newest first. */
  abstract list(organization: string): Promise<readonly ChargedMonth[]>;

  /** @returns undefined when the month is not charged. */
  abstract find(organization: string, period: string): Promise<ChargedMonth | undefined>;

  /** The charges of a month, sorted by organization. */
  abstract page(page: ChargePage): Promise<readonly RecordedCharge[]>;
}
