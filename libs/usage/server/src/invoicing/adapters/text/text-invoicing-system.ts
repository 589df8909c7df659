import { csv } from '../../../shared/csv/csv';
import { type InvoiceLine, InvoicingSystem } from '../../application/invoicing-system.port';

export const INVOICE_FORMATS = ['jsonl', 'csv'] as const;
export type InvoiceFormat = (typeof INVOICE_FORMATS)[number];

const COLUMNS = [
  ...(['key', 'organization', 'period', 'kind', 'item', 'description', 'quantity', 'unit', 'unit_usd'] as const),
  ...(['amount_usd', 'recorded_at', 'statement_version', 'statement_sha256'] as const),
] satisfies (keyof InvoiceLine)[];

/**
 * Writes the lines as JSON lines or CSV, for systems that import files. It remembers no keys: a repeated line is written
 * again, and the system that imports it ignores the key that it knows.
 */
export class TextInvoicingSystem extends InvoicingSystem {
  #hasHeader = false;

  /** @param write resolves when the text is accepted. */
  constructor(
    private readonly format: InvoiceFormat,
    private readonly write: (text: string) => Promise<void>,
  ) {
    super();
  }

  async add(lines: readonly InvoiceLine[]): Promise<void> {
    await this.write(this.format === 'csv' ? this.#csv(lines) : lines.map(jsonLine).join(''));
    this.#hasHeader = true;
  }

  #csv(lines: readonly InvoiceLine[]): string {
    const header = this.#hasHeader ? [] : [COLUMNS];
    return csv([...header, ...lines.map((line) => COLUMNS.map((column) => line[column] ?? ''))]);
  }
}

/** In the order of the columns, so that repeated exports are equal byte by byte. */
function jsonLine(line: InvoiceLine): string {
  return `${JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, line[column]])))}\n`;
}
