/** One item of a month. Amounts and quantities are decimal strings. */
export interface UsageLine {
  /** The id of an item of the usage card, such as `gateway-call`. */
  readonly item: string;
  readonly label: string;
  readonly unit: string;
  readonly quantity: string;
  readonly unit_usd: string;
  readonly amount_usd: string;
  /** Whether the trial waives the item. */
  readonly waived: boolean;
  /** Whether the quantity was used in the trial. In the month in which a trial ends, an item can have two lines. */
  readonly in_trial: boolean;
  /** The part of earlier months: reported after their charge, or used before the account existed. */
  readonly late_quantity: string;
}

export interface AccountTrial {
  /** RFC 3339: the start of the first hour that the trial does not cover. */
  readonly ends_at: string;
  readonly cap_usd: string;
  /** What the trial has covered until the end of the month. */
  readonly covered_usd: string;
}

/** The legacy plans of an account that is older than the first usage card, in the words of the statement. */
export interface LegacyPlans {
  /** The labels of the plans that accounts of its age could choose. */
  readonly plans: readonly string[];
  /** The sentence about the price that such accounts keep; null when the rule does not apply at its age. */
  readonly rule: string | null;
}

/** The pricing statement that states the prices of a month. */
export interface StatementReference {
  readonly version: string;
  /** Hexadecimal, of the bytes at `/v1/pricing/versions/{version}`. */
  readonly sha256: string;
}

/** `GET /api/usage`: the usage of an organization in a month, with its cost. */
export interface UsageMonth {
  /** Such as `2026-11`. */
  readonly period: string;
  /** RFC 3339: usage until then is included. Calls of the last ten seconds and levels of this hour can be missing. */
  readonly as_of: string;
  /** `off` while the operator has turned metering off: Homeport then measures no usage and charges no month. */
  readonly metering: 'on' | 'off';
  readonly account: {
    /** RFC 3339. */
    readonly created_at: string;
    /** The version of the usage card; null for an account that is older than the first card and has a legacy plan. */
    readonly card: string | null;
    /** How much metered usage the card includes each month; null for an account with a legacy plan. */
    readonly monthly_included_usd: string | null;
    /** Null for an account with a usage card. Homeport does not support other plans: it neither rates nor charges them. */
    readonly legacy_plans: LegacyPlans | null;
    /** Null when no hour of the month is in the trial. */
    readonly trial: AccountTrial | null;
  };
  readonly lines: readonly UsageLine[];
  /** What the included amount pays in the month. */
  readonly included_usd: string;
  readonly trial_covered_usd: string;
  readonly total_usd: string;
  /** The total at the end of the month if usage continues at its average rate of the month; the total of a past month. */
  readonly projected_total_usd: string;
  readonly statement: StatementReference;
}

export interface DailyQuantity {
  /** Such as `2026-11-27`, in UTC. */
  readonly day: string;
  readonly quantity: string;
}

/** `GET /api/usage/daily`: the days with usage, in order. Late usage is at its day, in an earlier month. */
export interface DailyUsage {
  readonly items: readonly DailyQuantity[];
}

/** `POST /api/usage/events`. */
export interface ReportedUsage {
  readonly accepted: number;
  /** Events that were reported before; they do not count again. */
  readonly duplicates: number;
}
