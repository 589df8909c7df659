import {
  type CardItem,
  centsToUsd,
  formatDecimal,
  PRICE_PLACES,
  QUANTITY_PLACES,
  recordedQuantityOf,
  type Rating,
  type SplitUsage,
  type Usage,
} from '@homeport/pricing/contracts';

export interface ChargedAccount {
  readonly id: string;
  readonly createdAt: Date;
}

/** A charge to record. */
export interface NewCharge {
  readonly account: ChargedAccount;
  /** A month: `2026-11`. */
  readonly period: string;
  /** The version of the pricing statement. */
  readonly revision: string;
  /** The version of the usage card. */
  readonly card: string;
  readonly rating: Rating;
  /** The parts of the quantities that were used in earlier months and reported after their charge. */
  readonly late: SplitUsage;
}

/** Amounts are decimal strings of USD. */
export interface ChargeLine {
  readonly item: string;
  readonly label: string;
  readonly unit: string;
  readonly quantity: string;
  readonly unitUsd: string;
  readonly amountUsd: string;
  readonly isWaived: boolean;
  /** Whether the quantity was used in the trial. */
  readonly isInTrial: boolean;
  /** The part of the quantity that was used in earlier months and reported after their charge. */
  readonly lateQuantity: string;
}

/** A correction to record. */
export interface NewCorrection {
  /** The number that identifies the correction for operators, such as that of a ticket. Unique for a charge. */
  readonly reference: string;
  /** The corrected item with its group, such as `meters.storage`; undefined for the whole charge. */
  readonly item: string | undefined;
  /** Negative in favor of the account. */
  readonly amountUsd: string;
  readonly reason: string;
  readonly correctedBy: string;
}

export interface Correction extends NewCorrection {
  readonly correctedAt: Date;
}

export interface Charge {
  readonly id: string;
  readonly accountId: string;
  readonly period: string;
  readonly revision: string;
  readonly card: string;
  readonly lines: readonly ChargeLine[];
  readonly includedUsd: string;
  readonly trialCoveredUsd: string;
  readonly totalUsd: string;
  readonly chargedAt: Date;
  /** Entries that add to the total, in the order of their recording. */
  readonly corrections: readonly Correction[];
}

export interface ChargePage {
  readonly period: string;
  /** The account after which the page starts; '' for the first page. */
  readonly after: string;
  /** The last account that the page may have; undefined for no limit. */
  readonly through: string | undefined;
  readonly limit: number;
}

/** What a trial covered in a charged month. */
export interface TrialAmount {
  readonly accountId: string;
  readonly period: string;
  readonly trialCoveredUsd: string;
}

/** Converts a charge to its recorded form, with every amount as an exact decimal. */
export function chargeOf({
  account,
  period,
  revision,
  card,
  rating,
  late,
}: NewCharge): Omit<Charge, 'id' | 'chargedAt' | 'corrections'> {
  return {
    accountId: account.id,
    period,
    revision,
    card,
    lines: rating.lines.map(({ item, quantity, cents, isWaived, isInTrial }) => ({
      item: `${item.group}.${item.id}`,
      label: item.label,
      unit: item.unit,
      quantity: formatDecimal(quantity, QUANTITY_PLACES),
      unitUsd: formatDecimal(item.unitNanoUsd, PRICE_PLACES),
      amountUsd: centsToUsd(cents),
      isWaived,
      isInTrial,
      lateQuantity: lateQuantityOf(item, isInTrial ? late.inTrial : late.afterTrial),
    })),
    includedUsd: centsToUsd(rating.includedCents),
    trialCoveredUsd: centsToUsd(rating.trialCoveredCents),
    totalUsd: centsToUsd(rating.totalCents),
  };
}

function lateQuantityOf({ group, id }: CardItem, late: Usage): string {
  return formatDecimal(recordedQuantityOf(late[group]?.[id] ?? 0), QUANTITY_PLACES);
}

/** An append-only ledger of charges. */
export abstract class ChargeLedger {
  /**
   * Records charges, all or none. An account is charged once per month: the first charge stays, and later ones are
   * ignored.
   * @param charges of different accounts or periods.
   * @throws {DatabaseUnavailable}
   */
  abstract record(charges: readonly NewCharge[]): Promise<void>;

  abstract find(accountId: string, period: string): Promise<Charge | undefined>;

  /** The charges of an account, newest period first. */
  abstract list(accountId: string): Promise<readonly Charge[]>;

  /** What the trials of accounts covered, for each charged month. */
  abstract trialAmounts(accountIds: readonly string[]): Promise<readonly TrialAmount[]>;

  /** The charges of a period, sorted by account. */
  abstract page(page: ChargePage): Promise<readonly Charge[]>;

  /**
   * Records the correction that a plan returns for the current charge, while no other correction of it is recorded.
   * @returns the charge with its corrections; undefined when the account is not charged for the period.
   */
  abstract correct(
    accountId: string,
    period: string,
    plan: (charge: Charge) => NewCorrection | undefined,
  ): Promise<Charge | undefined>;
}
