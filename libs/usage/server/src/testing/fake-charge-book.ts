import {
  centsToUsd,
  formatDecimal,
  PRICE_PLACES,
  QUANTITY_PLACES,
  rateSplit,
  type UsageCard,
} from '@homeport/pricing/contracts';
import type { ChargedMonth } from '@homeport/usage/contracts';
import { ChargeBook, type MonthToCharge } from '../months/application/charge-book.port';

/** Charges by one card and keeps the charges in memory. */
export class FakeChargeBook extends ChargeBook {
  readonly #months = new Map<string, ChargedMonth>();
  /** How often each month was charged, by period and organization. */
  readonly attempts = new Map<string, number>();

  constructor(private readonly card: UsageCard) {
    super();
  }

  async charge({ account, period, usage, coveredCents }: MonthToCharge): Promise<void> {
    const key = `${account.organization} ${period}`;
    this.attempts.set(key, (this.attempts.get(key) ?? 0) + 1);
    if (this.#months.has(key)) return;
    const rating = rateSplit(usage, this.card, { coveredCents });
    this.#months.set(key, {
      period,
      charged_at: new Date(0).toISOString(),
      card: this.card.version,
      statement: { version: this.card.version, sha256: '' },
      lines: rating.lines.map(({ item, quantity, cents, isWaived, isInTrial }) => ({
        item: item.id,
        label: item.label,
        unit: item.unit,
        quantity: formatDecimal(quantity, QUANTITY_PLACES),
        unit_usd: formatDecimal(item.unitNanoUsd, PRICE_PLACES),
        amount_usd: centsToUsd(cents),
        waived: isWaived,
        in_trial: isInTrial,
        sentence: '',
      })),
      included_usd: centsToUsd(rating.includedCents),
      trial_covered_usd: centsToUsd(rating.trialCoveredCents),
      total_usd: centsToUsd(rating.totalCents),
    });
  }

  async list(organization: string): Promise<readonly ChargedMonth[]> {
    return [...this.#months]
      .filter(([key]) => key.startsWith(`${organization} `))
      .map(([, month]) => month)
      .sort((one, other) => (one.period < other.period ? 1 : -1));
  }

  async find(organization: string, period: string): Promise<ChargedMonth | undefined> {
    return this.#months.get(`${organization} ${period}`);
  }
}
