import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const PAGE = resolve(import.meta.dirname, '../../../../../docs/operations.md');

/** @returns the variables in the table under a heading of docs/operations.md. */
export function documentedVariables(heading: string): string[] {
  const section = readFileSync(PAGE, 'utf8').split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
}
