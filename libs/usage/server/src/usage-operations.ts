import type { AccountRepository } from '@homeport/organizations/server';
import type { BillingPeriod } from '@homeport/usage/contracts';
import { ExportInvoiceLines } from './invoicing/application/export-invoice-lines';
import type { InvoicingSystem } from './invoicing/application/invoicing-system.port';
import type { UsageSpool } from './metering/application/usage-spool.port';
import type { UsageStore } from './metering/application/usage-store.port';
import { Accounts } from './months/application/accounts';
import type { ChargeBook } from './months/application/charge-book.port';
import type { MonthClosings } from './months/application/month-closings.port';
import type { PriceList } from './months/application/price-list.port';
import { TrialCoverage } from './months/application/trial-coverage';
import { ReconcileCharges } from './reconciliation/application/reconcile-charges';
import type { UsageAudit } from './reconciliation/application/usage-audit.port';
import type { Finding } from './reconciliation/domain/finding';

export interface UsageOperationsOptions {
  readonly store: UsageStore;
  readonly closings: MonthClosings;
  readonly accounts: AccountRepository;
  readonly prices: PriceList;
  readonly charges: ChargeBook;
  readonly audit: UsageAudit;
  readonly spool: UsageSpool;
}

/** What operators do with charges. */
export class UsageOperations {
  constructor(private readonly options: UsageOperationsOptions) {}

  /** @throws {MonthNotCharged} @throws {DatabaseUnavailable} @throws {CatalogUnavailable} */
  exportInvoiceLines(period: BillingPeriod, invoicing: InvoicingSystem): Promise<void> {
    const { closings, charges } = this.options;
    return new ExportInvoiceLines(closings, charges, invoicing).execute(period);
  }

  /** @param only the month to check. Default: all due months. @throws {DatabaseUnavailable} @throws {CatalogUnavailable} */
  reconcileCharges(only?: BillingPeriod): AsyncGenerator<Finding> {
    const { prices, store, charges, ...ports } = this.options;
    const accounts = new Accounts(ports.accounts, prices);
    const coverage = new TrialCoverage(store, charges);
    return new ReconcileCharges({ ...ports, store, charges, accounts, coverage }).execute(only);
  }
}
