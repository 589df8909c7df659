import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ENVIRONMENT_NAMES } from './config';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

/** The rows of the table under a heading, by cell. */
function tableUnder(heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.split('|').slice(1, -1));
}

describe('docs/operations.md', () => {
  it('explains exactly the variables that the API reads', () => {
    const explained = tableUnder('What the API reads').flatMap(([names = '']) => names.match(/[A-Z][A-Z0-9_]+/g) ?? []);
    expect(explained.sort()).toEqual([...ENVIRONMENT_NAMES].sort());
  });
});
