import type { Member } from '@homeport/identity/contracts';
import { BillingPeriod, type ChargedMonth, type ChargeList } from '@homeport/usage/contracts';
import { ChargeNotFound, MeteringOff } from '../domain/months.errors';
import type { ChargeBook } from './charge-book.port';

/** The charges of an organization. */
export class ChargeHistory {
  /** @param isMetering false when metering is off, so that no month will be charged. */
  constructor(
    private readonly charges: ChargeBook,
    private readonly isMetering: boolean,
  ) {}

  /** @throws {DatabaseUnavailable} */
  async list({ organization }: Member): Promise<ChargeList> {
    const months = await this.charges.list(organization);
    const items = months.map(({ period, total_usd, corrected_total_usd, charged_at, card, statement }) => ({
      ...{ period, total_usd, corrected_total_usd, charged_at, card, statement },
    }));
    return { items, next_cursor: null };
  }

  /** @throws {ChargeNotFound} @throws {MeteringOff} @throws {DatabaseUnavailable} */
  async get({ organization }: Member, period: string): Promise<ChargedMonth> {
    if (!BillingPeriod.parse(period)) throw new ChargeNotFound();
    const charge = await this.charges.find(organization, period);
    if (!charge) throw this.isMetering ? new ChargeNotFound() : new MeteringOff();
    return charge;
  }
}
