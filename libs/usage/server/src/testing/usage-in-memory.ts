import type { AccountRepository } from '@homeport/organizations/server';
import type { ReportedUsage, UsageMonth } from '@homeport/usage/contracts';
import { InMemoryUsageStore } from '../metering/adapters/memory/in-memory-usage-store';
import { RemoveExpiredUsage } from '../metering/application/remove-expired-usage';
import { ReportUsage } from '../metering/application/report-usage';
import type { UsageStore } from '../metering/application/usage-store.port';
import { InMemoryMonthClosings } from '../months/adapters/memory/in-memory-month-closings';
import { Accounts } from '../months/application/accounts';
import type { ChargeBook } from '../months/application/charge-book.port';
import { CloseMonths } from '../months/application/close-months';
import type { PriceList } from '../months/application/price-list.port';
import { ReadMonth } from '../months/application/read-month';
import { TrialCoverage } from '../months/application/trial-coverage';

export interface UsageInMemoryPorts {
  readonly accounts: AccountRepository;
  readonly prices: PriceList;
  readonly charges: ChargeBook;
  readonly now: () => Date;
}

/** Wraps a port, for example to make its calls fail. */
export type PortWrapper = <Port extends object>(port: Port) => Port;

const MEMBER = { issuer: 'https://id.example.com', subject: 'ada' };

/** Metering and month close in memory, with the accounts, prices and charges of a test. */
export class UsageInMemory {
  readonly store: UsageStore = new InMemoryUsageStore();
  readonly #closings: InMemoryMonthClosings;
  readonly #accounts: Accounts;
  readonly #months: ReadMonth;
  readonly #reports: ReportUsage;

  constructor(private readonly ports: UsageInMemoryPorts) {
    const { accounts, prices, charges, now } = ports;
    this.#closings = new InMemoryMonthClosings(this.store, now);
    this.#accounts = new Accounts(accounts, prices);
    this.#months = new ReadMonth(this.store, this.#accounts, new TrialCoverage(this.store, charges), { now });
    this.#reports = new ReportUsage(this.store, this.#accounts, now);
  }

  /** @param body a batch of CloudEvents. @throws {UsageEventsInvalid} */
  report(organization: string, body: unknown): Promise<ReportedUsage> {
    return this.#reports.execute({ ...MEMBER, organization }, body);
  }

  /** The page of a month. @param period such as `2026-11`. */
  read(organization: string, period: string): Promise<UsageMonth> {
    return this.#months.execute({ organization }, period);
  }

  /** Closes months as one instance of the API. @param wrap for the ports of this instance. */
  close(wrap: PortWrapper = (port) => port): Promise<void> {
    const { accounts, prices } = this.ports;
    const [store, charges] = [wrap(this.store), wrap(this.ports.charges)];
    return new CloseMonths({
      ...{ store, charges, closings: wrap(this.#closings) },
      accounts: new Accounts(wrap(accounts), prices),
      coverage: new TrialCoverage(store, charges),
    }).execute();
  }

  removeExpired(): Promise<void> {
    return new RemoveExpiredUsage(this.store, { now: this.ports.now }).execute();
  }
}
