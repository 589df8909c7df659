import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const PAGE = resolve(import.meta.dirname, '../../../../../docs/operations.md');

/** @returns the variables in the table under a heading of docs/operations.md. */
export function documentedVariables(heading: string): string[] {
  return Object.keys(documentedDefaults(heading));
}

/** @returns the texts of the column "default" in the same table. */
export function documentedDefaults(heading: string): Readonly<Record<string, string>> {
  const section = readFileSync(PAGE, 'utf8').split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const entries = rows.flatMap((row) => {
    const [, names = '', , text = ''] = row.split('|');
    return (names.match(/[A-Z][A-Z0-9_]+/g) ?? []).map((name): [string, string] => [name, text.trim()]);
  });
  return Object.fromEntries(entries);
}
