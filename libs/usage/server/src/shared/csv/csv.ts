export type Cell = string | boolean;
export type Row = readonly Cell[];

/** The first characters of formulas in spreadsheets, also in their wide forms. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Formats rows as CSV (RFC 4180). Formulas are marked as text. */
export function csv(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: Cell): string {
  const given = String(cell);
  const text = FORMULA.test(given) && !NUMBER.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
