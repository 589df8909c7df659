import type { StatementReference, UsageLine } from './usage-month';

export interface ChargeSummary {
  /** Such as `2026-11`. */
  readonly period: string;
  readonly total_usd: string;
  /** The total with all corrections. */
  readonly corrected_total_usd: string;
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

/** An entry that adds to a charge. It never changes. */
export interface ChargeCorrection {
  /** The number of the correction, unique for the charge. */
  readonly reference: string;
  /** The id of the corrected item; null for the whole charge. */
  readonly item: string | null;
  /** Negative in favor of the organization. */
  readonly amount_usd: string;
  readonly reason: string;
  /** RFC 3339. */
  readonly corrected_at: string;
  /** The amount, the corrected charge and the reason. */
  readonly sentence: string;
}

/** `GET /api/charges/{period}`. It never changes, but corrections can be added. */
export interface ChargedMonth extends ChargeSummary {
  readonly lines: readonly ChargedLine[];
  readonly corrections: readonly ChargeCorrection[];
  readonly included_usd: string;
  readonly trial_covered_usd: string;
}
