import type { StatementReference, UsageLine } from './usage-month';

export interface ChargeSummary {
  /** Such as `2026-11`. */
  readonly period: string;
  readonly total_usd: string;
  /** RFC 3339. */
  readonly charged_at: string;
  readonly card: string;
  readonly statement: StatementReference;
}

/** `GET /api/charges`, newest first. */
export interface ChargeList {
  readonly items: readonly ChargeSummary[];
  readonly next_cursor: string | null;
}

export interface ChargedLine extends Omit<UsageLine, 'late_quantity'> {
  /** How the amount was calculated, with the card and the statement. */
  readonly sentence: string;
}

/** `GET /api/charges/{period}`. It never changes. */
export interface ChargedMonth extends ChargeSummary {
  readonly lines: readonly ChargedLine[];
  readonly included_usd: string;
  readonly trial_covered_usd: string;
}
