import type { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageStore } from '../../../metering/application/usage-store.port';
import { MonthClosings, type UnchargedMonth } from '../../application/month-closings.port';

/** Keeps the progress in memory, for tests. */
export class InMemoryMonthClosings extends MonthClosings {
  readonly #chargedThrough = new Map<string, string>();
  readonly #finished = new Set<string>();

  constructor(
    private readonly store: UsageStore,
    private readonly clock: () => Date,
  ) {
    super();
  }

  async now(): Promise<Date> {
    return this.clock();
  }

  async uncharged(): Promise<readonly UnchargedMonth[]> {
    const [first, last] = await Promise.all([this.store.firstClosed(), this.store.lastClosed()]);
    const months: UnchargedMonth[] = [];
    for (let period = first; period && last && period.name <= last.name; period = period.next()) {
      if (!this.#finished.has(period.name)) {
        months.push({ period, chargedThrough: this.#chargedThrough.get(period.name) });
      }
    }
    return months;
  }

  async advance({ name }: BillingPeriod, organization: string): Promise<void> {
    const through = this.#chargedThrough.get(name);
    if (through === undefined || through < organization) this.#chargedThrough.set(name, organization);
  }

  async isFinished({ name }: BillingPeriod): Promise<boolean> {
    return this.#finished.has(name);
  }

  async finish({ name }: BillingPeriod): Promise<void> {
    this.#finished.add(name);
  }
}
