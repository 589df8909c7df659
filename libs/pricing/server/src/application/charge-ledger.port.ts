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
}

/** Converts a charge to its recorded form, with every amount as an exact decimal. */
export function chargeOf({
  account,
  period,
  revision,
  card,
  rating,
  late,
}: NewCharge): Omit<Charge, 'id' | 'chargedAt'> {
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
   * Records a charge. An account is charged once per month, so a repeated call returns the first charge.
   * @throws {DatabaseUnavailable}
   */
  abstract record(charge: NewCharge): Promise<Charge>;

  abstract find(accountId: string, period: string): Promise<Charge | undefined>;

  /** The charges of an account, newest period first. */
  abstract list(accountId: string): Promise<readonly Charge[]>;
}
