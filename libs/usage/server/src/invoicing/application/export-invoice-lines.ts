import type { BillingPeriod, ChargeCorrection, ChargedLine } from '@homeport/usage/contracts';
import type { ChargeBook, RecordedCharge } from '../../months/application/charge-book.port';
import type { MonthClosings } from '../../months/application/month-closings.port';
import { MonthNotCharged } from '../../months/domain/months.errors';
import type { InvoiceLine, InvoicingSystem } from './invoicing-system.port';

const PAGE_SIZE = 500;

/** Sends the charges of a month to an invoicing system. */
export class ExportInvoiceLines {
  constructor(
    private readonly closings: MonthClosings,
    private readonly charges: ChargeBook,
    private readonly invoicing: InvoicingSystem,
  ) {}

  /**
   * May be repeated, also after new corrections: the lines keep their keys.
   * @throws {MonthNotCharged} @throws {DatabaseUnavailable} @throws {CatalogUnavailable}
   */
  async execute(period: BillingPeriod): Promise<void> {
    if (!(await this.closings.isFinished(period))) throw new MonthNotCharged(period.name);
    let after: string | undefined;
    for (;;) {
      const page = await this.charges.page({ period: period.name, after, limit: PAGE_SIZE });
      if (page.length === 0) return;
      await this.invoicing.add(page.flatMap(invoiceLines));
      after = page.at(-1)?.organization;
    }
  }
}

/** The lines of a charge. They add up to its corrected total. */
export function invoiceLines(charge: RecordedCharge): InvoiceLine[] {
  const { month } = charge;
  return [
    ...month.lines.map((line, n) => usageLine(charge, line, n)),
    ...deduction(charge, 'included', 'Included usage', month.included_usd),
    ...deduction(charge, 'trial', 'Covered by the trial', month.trial_covered_usd),
    ...month.corrections.map((correction) => correctionLine(charge, correction)),
  ];
}

function usageLine(charge: RecordedCharge, line: ChargedLine, n: number): InvoiceLine {
  const { item, sentence: description, quantity, unit, unit_usd, amount_usd } = line;
  const amounts = { quantity, unit, unit_usd, amount_usd };
  return { ...commonFields(charge, String(n)), kind: 'usage', item, description, ...amounts };
}

function deduction(charge: RecordedCharge, kind: 'included' | 'trial', text: string, amount: string): InvoiceLine[] {
  if (amount === '0') return [];
  const description = `${text} in ${charge.month.period}`;
  return [{ ...commonFields(charge, kind), ...AMOUNT_ONLY, kind, item: null, description, amount_usd: `-${amount}` }];
}

function correctionLine(charge: RecordedCharge, correction: ChargeCorrection): InvoiceLine {
  const { reference, item, sentence: description, amount_usd, corrected_at: recorded_at } = correction;
  const common = commonFields(charge, `correction:${reference}`);
  return { ...common, ...AMOUNT_ONLY, kind: 'correction', item, description, amount_usd, recorded_at };
}

const AMOUNT_ONLY = { quantity: null, unit: null, unit_usd: null } as const;

function commonFields({ id, organization, month }: RecordedCharge, part: string) {
  const { period, charged_at: recorded_at, statement } = month;
  const origin = { recorded_at, statement_version: statement.version, statement_sha256: statement.sha256 };
  return { key: `${id}:${part}`, organization, period, ...origin };
}
