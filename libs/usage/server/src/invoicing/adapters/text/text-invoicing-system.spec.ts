import { invoicingSystemContract } from '../../../testing/invoicing-system.contract';
import type { InvoiceLine } from '../../application/invoicing-system.port';
import { INVOICE_FORMATS, type InvoiceFormat, TextInvoicingSystem } from './text-invoicing-system';

/** Parse the text like a system that imports it. */
const READERS: Readonly<Record<InvoiceFormat, (text: string) => readonly InvoiceLine[]>> = {
  jsonl: readLines,
  csv: readCsv,
};

for (const format of INVOICE_FORMATS) {
  const open = async () => {
    let text = '';
    let isRefusing = false;
    const write = async (more: string) => {
      if (isRefusing) {
        isRefusing = false;
        throw new Error('The disk is full.');
      }
      text += more;
    };
    return {
      invoicing: new TextInvoicingSystem(format, write),
      lines: async () => READERS[format](text),
      refuseOnce: () => (isRefusing = true),
    };
  };
  invoicingSystemContract(`${TextInvoicingSystem.name} (${format})`, { open, ignoresKnownKeys: false });
}

function readLines(text: string): readonly InvoiceLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as InvoiceLine);
}

/** An empty cell is null. */
function readCsv(text: string): readonly InvoiceLine[] {
  const [header, ...rows] = rowsOf(text);
  return rows.map(
    (row) =>
      Object.fromEntries(row.map((cell, n) => [header?.[n], cell === '' ? null : cell])) as unknown as InvoiceLine,
  );
}

/** RFC 4180. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
