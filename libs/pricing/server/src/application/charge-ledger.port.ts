import { formatDecimal, PRICE_PLACES, QUANTITY_PLACES, type Rating, centsToUsd } from '@homeport/pricing/contracts';

export interface ChargedAccount {
  readonly id: string;
  readonly createdAt: Date;
}

/** What is written down about a charge. */
export interface NewCharge {
  readonly account: ChargedAccount;
  /** A month: `2026-11`. */
  readonly period: string;
  /** Of the statement it was made by. */
  readonly revision: string;
  /** Of the card it was made by. */
  readonly card: string;
  readonly rating: Rating;
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

/** A charge as it is written down, every amount as its exact decimal. */
export function chargeOf({ account, period, revision, card, rating }: NewCharge): Omit<Charge, 'id' | 'chargedAt'> {
  return {
    accountId: account.id,
    period,
    revision,
    card,
    lines: rating.lines.map(({ item, quantity, cents, isWaived }) => ({
      item: `${item.group}.${item.id}`,
      label: item.label,
      unit: item.unit,
      quantity: formatDecimal(quantity, QUANTITY_PLACES),
      unitUsd: formatDecimal(item.unitNanoUsd, PRICE_PLACES),
      amountUsd: centsToUsd(cents),
      isWaived,
    })),
    includedUsd: centsToUsd(rating.includedCents),
    trialCoveredUsd: centsToUsd(rating.trialCoveredCents),
    totalUsd: centsToUsd(rating.totalCents),
  };
}

/** What was charged. None of it is ever changed. */
export abstract class ChargeLedger {
  /**
   * An account is charged once a month: repeating it answers the first charge.
   * @throws {DatabaseUnavailable}
   */
  abstract record(charge: NewCharge): Promise<Charge>;

  abstract find(accountId: string, period: string): Promise<Charge | undefined>;
}
