import { randomUUID } from 'node:crypto';
import {
  type Charge,
  ChargeLedger,
  chargeOf,
  type ChargePage,
  type NewCharge,
  type NewCorrection,
  type TrialAmount,
} from '../../application/charge-ledger.port';

/** Keeps charges in memory, for tests and experiments. */
export class InMemoryChargeLedger extends ChargeLedger {
  readonly #charges = new Map<string, Charge>();

  async record(charges: readonly NewCharge[]): Promise<void> {
    for (const charge of charges) {
      const key = `${charge.period} ${charge.account.id}`;
      if (this.#charges.has(key)) continue;
      this.#charges.set(key, { ...chargeOf(charge), id: randomUUID(), chargedAt: new Date(), corrections: [] });
    }
  }

  async find(accountId: string, period: string): Promise<Charge | undefined> {
    return this.#charges.get(`${period} ${accountId}`);
  }

  async list(accountId: string): Promise<readonly Charge[]> {
    return [...this.#charges.values()]
      .filter((charge) => charge.accountId === accountId)
      .sort((one, other) => (one.period < other.period ? 1 : -1));
  }

  async trialAmounts(accountIds: readonly string[]): Promise<readonly TrialAmount[]> {
    return [...this.#charges.values()].filter(({ accountId }) => accountIds.includes(accountId));
  }

  async page({ period, after, through, limit }: ChargePage): Promise<readonly Charge[]> {
    return [...this.#charges.values()]
      .filter((charge) => charge.period === period && charge.accountId > after)
      .filter(({ accountId }) => through === undefined || accountId <= through)
      .sort((one, other) => (one.accountId < other.accountId ? -1 : 1))
      .slice(0, limit);
  }

  async correct(
    accountId: string,
    period: string,
    plan: (charge: Charge) => NewCorrection | undefined,
  ): Promise<Charge | undefined> {
    const key = `${period} ${accountId}`;
    const charge = this.#charges.get(key);
    const correction = charge && plan(charge);
    if (!charge || !correction) return charge;
    const corrected = { ...charge, corrections: [...charge.corrections, { ...correction, correctedAt: new Date() }] };
    this.#charges.set(key, corrected);
    return corrected;
  }
}
