/** A line of an invoice. Amounts and quantities are decimal strings. */
export interface InvoiceLine {
  /** Repeated exports contain the same line with the same key, so a system that knows the key ignores the line. */
  readonly key: string;
  readonly organization: string;
  /** Such as `2026-11`. */
  readonly period: string;
  readonly kind: 'usage' | 'included' | 'trial' | 'correction';
  /** The id of an item of the usage card; null for the included amount, the trial and corrections of a whole charge. */
  readonly item: string | null;
  readonly description: string;
  /** Null where only an amount exists. */
  readonly quantity: string | null;
  readonly unit: string | null;
  readonly unit_usd: string | null;
  /** Negative for deductions. The lines of an organization and month add up to what it owes for it. */
  readonly amount_usd: string;
  /** RFC 3339: when the charge or the correction was recorded. */
  readonly recorded_at: string;
  /** The version of the pricing statement that priced the charge. */
  readonly statement_version: string;
  /** Hexadecimal, of the bytes of that statement. */
  readonly statement_sha256: string;
}

/** Receives the lines of invoices. */
export abstract class InvoicingSystem {
  /**
   * Adds lines. Safe to repeat: a repeated line has the same key and the same fields, and the system that makes the
   * invoices ignores it. Rejects when the system does not accept all lines.
   */
  abstract add(lines: readonly InvoiceLine[]): Promise<void>;
}
