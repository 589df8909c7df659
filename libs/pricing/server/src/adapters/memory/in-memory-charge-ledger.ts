import { randomUUID } from 'node:crypto';
import { type Charge, ChargeLedger, chargeOf, type NewCharge } from '../../application/charge-ledger.port';

/** Keeps charges in memory, for tests and experiments. */
export class InMemoryChargeLedger extends ChargeLedger {
  readonly #charges = new Map<string, Charge>();

  async record(charge: NewCharge): Promise<Charge> {
    const key = `${charge.period} ${charge.account.id}`;
    const recorded = this.#charges.get(key) ?? { ...chargeOf(charge), id: randomUUID(), chargedAt: new Date() };
    this.#charges.set(key, recorded);
    return recorded;
  }

  async find(accountId: string, period: string): Promise<Charge | undefined> {
    return this.#charges.get(`${period} ${accountId}`);
  }

  async list(accountId: string): Promise<readonly Charge[]> {
    return [...this.#charges.values()]
      .filter((charge) => charge.accountId === accountId)
      .sort((one, other) => (one.period < other.period ? 1 : -1));
  }
}
