import {
  centsToUsd,
  formatDecimal,
  PRICE_PLACES,
  QUANTITY_PLACES,
  rateSplit,
  type UsageCard,
} from '@homeport/pricing/contracts';
import type { ChargedMonth } from '@homeport/usage/contracts';
import {
  ChargeBook,
  type ChargePage,
  type MonthToCharge,
  type RecordedCharge,
  type TrialAmount,
} from '../months/application/charge-book.port';

/** Charges by one card and keeps the charges in memory. */
export class FakeChargeBook extends ChargeBook {
  readonly #months = new Map<string, ChargedMonth>();
  /** How often each month was charged, by period and organization. */
  readonly attempts = new Map<string, number>();

  constructor(private readonly card: UsageCard) {
    super();
  }

  async charge(months: readonly MonthToCharge[]): Promise<void> {
    for (const month of months) this.#charge(month);
  }

  #charge({ account, period, usage, coveredCents }: MonthToCharge): void {
    const key = `${account.organization} ${period}`;
    this.attempts.set(key, (this.attempts.get(key) ?? 0) + 1);
    if (this.#months.has(key)) return;
    const rating = rateSplit(usage, this.card, { coveredCents });
    this.#months.set(key, {
      period,
      charged_at: new Date(0).toISOString(),
      card: this.card.version,
      statement: { version: this.card.version, sha256: 'ab12' },
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
      corrected_total_usd: centsToUsd(rating.totalCents),
      corrections: [],
    });
  }

  async trialAmounts(organizations: readonly string[]): Promise<readonly TrialAmount[]> {
    const months = await Promise.all(organizations.map((organization) => this.list(organization)));
    return months.flatMap((list, n) =>
      list.map(({ period, trial_covered_usd: trialCoveredUsd }) => ({
        organization: organizations[n] as string,
        period,
        trialCoveredUsd,
      })),
    );
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

  async page({ period, after = '', through, limit }: ChargePage): Promise<readonly RecordedCharge[]> {
    return [...this.#months]
      .map(([key, month]) => ({ id: key, organization: key.split(' ')[0] as string, month }))
      .filter(({ organization, month }) => month.period === period && organization > after)
      .filter(({ organization }) => through === undefined || organization <= through)
      .sort((one, other) => (one.organization < other.organization ? -1 : 1))
      .slice(0, limit);
  }

  /** Changes what is recorded, as an accident in the database does. */
  falsify(organization: string, period: string, change: (month: ChargedMonth) => ChargedMonth | undefined): void {
    const key = `${organization} ${period}`;
    const falsified = change(this.#months.get(key) as ChargedMonth);
    if (falsified) this.#months.set(key, falsified);
    else this.#months.delete(key);
  }
}
